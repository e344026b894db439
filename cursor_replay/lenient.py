"""Field types for wire records and tool arguments: a wrong-typed field is an absent field.

Real dumps break the vendor's own schema (5 of 57 results of the SDK), so no record may be lost
because one field surprises us. Owns no record.
"""

import math
import re
from typing import Annotated, Any

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    GetCoreSchemaHandler,
    OnErrorOmit,
    Strict,
    TypeAdapter,
)
from pydantic_core import CoreSchema, core_schema


class _AbsentOnError:
    """Turn a validation error of one field into None, inside pydantic's own core."""

    def __get_pydantic_core_schema__(
        self, source: Any, handler: GetCoreSchemaHandler
    ) -> CoreSchema:
        return core_schema.with_default_schema(handler(source), default=None, on_error="default")


ABSENT_ON_ERROR = _AbsentOnError()
_INT64 = 21
_LARGEST = 2**63
"""JSON may hold any integer; no count, size or duration is as large as this."""
_DIGITS = re.compile(r"-?[0-9]+")

# Strict: a value of another type is absent, never coerced (a bool is no number).
Text = Annotated[Annotated[str, Strict()] | None, ABSENT_ON_ERROR]
_Count = Annotated[int, Strict(), Field(lt=_LARGEST, ge=-_LARGEST)]
Int = Annotated[_Count | None, ABSENT_ON_ERROR]
Number = Annotated[Annotated[float, Strict()] | None, ABSENT_ON_ERROR]
Flag = Annotated[Annotated[bool, Strict()] | None, ABSENT_ON_ERROR]
Object = Annotated[dict[str, Any] | None, ABSENT_ON_ERROR]
# No ``| None`` inside: a union would drop the whole list for one element of another type.
Texts = Annotated[list[OnErrorOmit[Annotated[str, Strict()]]], ABSENT_ON_ERROR]
Objects = Annotated[list[OnErrorOmit[dict[str, Any]]], ABSENT_ON_ERROR]


class Record(BaseModel):
    """Base of every wire record: unknown keys are ignored, names and aliases both accepted."""

    model_config = ConfigDict(extra="ignore", populate_by_name=True, defer_build=True)


def record_union(union: Any) -> TypeAdapter[Any]:
    """The validator of a format's records, built on first use: a run needs one format."""
    return TypeAdapter(union, config=ConfigDict(defer_build=True))


def as_text(value: Any) -> str | None:
    """A non-empty string, else None."""
    return value if isinstance(value, str) and value else None


def as_object(value: Any) -> dict[str, Any]:
    """A JSON object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_objects(value: Any) -> list[dict[str, Any]]:
    """The objects of an array."""
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def as_texts(value: Any) -> list[str]:
    """The strings of an array."""
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def as_int(value: Any) -> int | None:
    """A whole number, also as a protobuf int64 string; a bool is no number."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value if -_LARGEST <= value < _LARGEST else None
    if isinstance(value, float):
        return int(value) if abs(value) < _LARGEST else None
    if isinstance(value, str) and len(value) < _INT64 and _DIGITS.fullmatch(value):
        return int(value)
    return None


def as_number(value: Any) -> float | None:
    """A finite number, also as a protobuf int64 string; a bool is none."""
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return as_int(value)
