"""JSON values in words, as a JavaScript reader would print them (porting hazards, section 14)."""

import json
import math

from cursor_replay.items import Json


def pretty(value: Json) -> str:
    """Indented by two, non-ASCII kept, ``1.0`` printed ``1``."""
    return json.dumps(_js(value), indent=2, ensure_ascii=False, default=str)


def compact(value: Json) -> str:
    """On one line without spaces."""
    return json.dumps(_js(value), separators=(",", ":"), ensure_ascii=False, default=str)


def number(value: float) -> str:
    """``30000.0`` -> ``30000``."""
    return str(int(value)) if float(value).is_integer() else str(value)


def half_up(value: float, digits: int = 0) -> str:
    """Rounded halves up, as ``toFixed`` does for the durations cards show."""
    scaled = math.floor(value * 10**digits + 0.5)
    return f"{scaled / 10**digits:.{digits}f}"


def _js(value: Json) -> Json:
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        return int(value) if value.is_integer() else value
    if isinstance(value, list):
        return [_js(each) for each in value]
    if isinstance(value, dict):
        return {str(key): _js(each) for key, each in value.items()}
    return value
