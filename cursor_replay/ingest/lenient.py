"""Field types for wire records: a wrong-typed field is an absent field.

Real dumps break the vendor's own schema (5 of 57 results of the SDK), so no record may be lost
because one field surprises us. Owns no record.
"""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema


class _AbsentOnError:
    """Turn a validation error of one field into None, inside pydantic's own core."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.with_default_schema(handler(source), default=None, on_error="default")


ABSENT_ON_ERROR = _AbsentOnError()

Text = Annotated[str | None, ABSENT_ON_ERROR]
Int = Annotated[int | None, ABSENT_ON_ERROR]
Number = Annotated[float | None, ABSENT_ON_ERROR]
Flag = Annotated[bool | None, ABSENT_ON_ERROR]
Object = Annotated[dict[str, Any] | None, ABSENT_ON_ERROR]


class Record(BaseModel):
    """Base of every wire record: unknown keys are ignored, names and aliases both accepted."""

    model_config = ConfigDict(extra="ignore", populate_by_name=True, defer_build=False)
