"""Expressions in GitHub's workflows: literals, contexts, ! == != && ||, and the functions for the job's status."""
import re

TOKEN = re.compile(r"\s*(?:('(?:[^']|'')*')|(\d+)|(==|!=|&&|\|\||!|\(|\))|([A-Za-z_][\w.-]*))")


def evaluate(text, context, failed=False):
    tokens, at = [], 0
    while text[at:].strip():
        found = TOKEN.match(text, at)
        if not found:
            raise ValueError(f"unknown expression: {text}")
        tokens.append(found)
        at = found.end()
    position = 0

    def peek():
        return tokens[position].group(0).strip() if position < len(tokens) else None

    def take(expected=None):
        nonlocal position
        token = tokens[position]
        if expected and token.group(0).strip() != expected:
            raise ValueError(f"expected {expected} in: {text}")
        position += 1
        return token

    def value():
        token = take()
        if token.group(1) is not None:
            return token.group(1)[1:-1].replace("''", "'")
        if token.group(2):
            return token.group(2)
        if token.group(3) == "!":
            return not truth(value())
        if token.group(3) == "(":
            inner = either()
            take(")")
            return inner
        name = token.group(4)
        if peek() == "(":
            take("(")
            take(")")
            return {"always": True, "success": not failed, "failure": failed, "cancelled": False}[name]
        if name in ("true", "false"):
            return name == "true"
        result = context
        for part in name.split("."):
            result = result.get(part, "") if isinstance(result, dict) else ""
        return result

    def compared():
        left = value()
        while peek() in ("==", "!="):
            equal = take().group(3) == "=="
            left = (text_of(left) == text_of(value())) == equal
        return left

    def both():
        left = compared()
        while peek() == "&&":
            take()
            right = compared()
            left = right if truth(left) else left
        return left

    def either():
        left = both()
        while peek() == "||":
            take()
            right = both()
            left = left if truth(left) else right
        return left

    result = either()
    if position != len(tokens):
        raise ValueError(f"unknown expression: {text}")
    return result


def truth(value):
    return value not in (False, "", None, 0)


def text_of(value):
    return "true" if value is True else "false" if value is False else str(value)


def fill(text, context, failed=False):
    """Replaces each ${{ expression }}."""
    return re.sub(r"\$\{\{(.*?)\}\}", lambda found: text_of(evaluate(found[1], context, failed)), str(text))


def condition(text, context, failed):
    """Returns the value of an `if`. Without a status function, it also requires success."""
    text = re.sub(r"^\s*\$\{\{(.*)\}\}\s*$", r"\1", str(text))
    asks = re.search(r"\b(always|failure|success|cancelled)\(", text)
    return truth(evaluate(text, context, failed)) and (bool(asks) or not failed)
