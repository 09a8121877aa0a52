"""A schema in words: its type, what is said of it, what it must obey. HTML, each schema once."""

from collections.abc import Iterable, Mapping, Sequence

from hanpon.contracts.schemas import Child, Discriminator, Facet, Presence, Schema
from renderers.labels import Labels
from renderers.markdown_text import MarkdownTexts
from renderers.page import Skeleton, text, wrapper

CODE = wrapper("text.html", "code")
STRONG = wrapper("text.html", "strong")
MARK = wrapper("text.html", "mark")
LINK = Skeleton("text.html", "link", ("address", "words"))
LIST = wrapper("text.html", "items")
ITEM = wrapper("text.html", "item")
PARAGRAPH = wrapper("text.html", "paragraph")
SEPARATOR = "; "
_NAMES_IN_TYPE = 5
_TYPE_DEPTH = 4
_NAMELESS = {"rest": "other_properties", "pattern": "pattern_properties"}


def coded(value: str) -> str:
    return CODE(text(value))


class SchemaWords:
    """Words for the schemas of one source. Never depends on what was asked before."""

    def __init__(self, schemas: Mapping[str, Schema], labels: Labels, markdown: MarkdownTexts) -> None:
        self.schemas = schemas
        self.labels = labels
        self._markdown = markdown
        self._escaped = {key: text(words) for key, words in labels.items()}
        self._types: dict[str, str] = {}
        self._sayings: dict[str, tuple[str, str]] = {}

    def label(self, name: str, /, **slots: str) -> str:
        """A label with HTML in its slots."""
        pattern = self._escaped[name]
        return pattern.format(**slots) if slots else pattern

    def unresolved(self, reference: str) -> str:
        return MARK(self.label("unresolved", reference=coded(reference)))

    # --- types

    def type_of(self, key: str) -> str:
        """`Pet (object)`, `array of string (uuid)`, `integer or null`, as HTML text."""
        found = self._types.get(key)
        if found is None:
            found = self._types[key] = text(self._type(key, 0))
        return found

    def _type(self, key: str, depth: int) -> str:
        schema = self.schemas[key]
        if schema.never:
            return self.labels["nothing"]
        if schema.unresolved and not schema.types and not schema.children:
            return self.labels["unresolved"].format(reference=", ".join(schema.unresolved))
        words = self._kind(schema, depth)
        if schema.format:
            # `Date (string, date)`, but `string (date)` where there is no name
            words += f" ({schema.format})" if not schema.name else f", {schema.format}"
        name = schema.name or (schema.title if self._is_called_by_title(schema) else "")
        if name:
            words = name if words == self.labels["any"] else f"{name} ({words})"
        return words + self.labels["or"] + self.labels["null"] if schema.nullable else words

    def _is_called_by_title(self, schema: Schema) -> bool:
        return not schema.name and (schema.types == ("object",) or bool(schema.facets))

    def _kind(self, schema: Schema, depth: int) -> str:
        if len(schema.types) == 1 and schema.types[0] != "array":  # most schemas
            return schema.types[0]
        if schema.types:
            return self.labels["or"].join(
                self.labels["array_of"].format(items=self._items(schema, depth)) if kind == "array" else kind
                for kind in schema.types
            )
        choices = [self._choice(facets, depth) for facets in schema.choices]
        if len(choices) > 1:
            return self.labels["and"].join(f"({words})" for words in choices)
        return choices[0] if choices else self.labels["any"]

    def _choice(self, facets: Sequence[Facet], depth: int) -> str:
        if len(facets) > _NAMES_IN_TYPE or depth >= _TYPE_DEPTH:
            return self.labels["one_of_many"].format(count=len(facets))
        return self.labels["or"].join(dict.fromkeys(self._short(facet.key, depth + 1) for facet in facets))

    def _items(self, schema: Schema, depth: int) -> str:
        items = [child.key for child in schema.children if child.step == "item"]
        if not items:
            return self.labels["any"]
        words = self._short(items[0], depth + 1)
        return f"({words})" if self.labels["or"] in words else words

    def _short(self, key: str, depth: int) -> str:
        """A type inside another type: a name where there is one."""
        schema = self.schemas[key]
        if schema.name or depth > _TYPE_DEPTH:
            name = schema.name or "…"
            return name + self.labels["or"] + self.labels["null"] if schema.nullable else name
        return self._type(key, depth)

    def name_of(self, key: str, path: str = "") -> str:
        """How a schema is called in a sentence: by its name, else by where it stands."""
        schema = self.schemas[key]
        return schema.name or schema.title or path or self.labels["unnamed"]

    # --- what is said

    def said(self, key: str) -> tuple[str, str]:
        """Description and constraints of a schema, as HTML."""
        found = self._sayings.get(key)
        if found is None:
            schema = self.schemas[key]
            found = self._sayings[key] = (self._description(schema), self._constraints(schema))
        return found

    def speaks(self, key: str) -> bool:
        """True where a schema says more than its type and its children do."""
        return any(self.said(key)) or any(facet.role not in {"oneOf", "anyOf"} for facet in self.schemas[key].facets)

    def _description(self, schema: Schema) -> str:
        pieces = []
        if schema.deprecated or schema.read_only or schema.write_only:
            flags = {"deprecated": schema.deprecated, "read_only": schema.read_only, "write_only": schema.write_only}
            pieces = [PARAGRAPH(MARK(self.label(flag))) for flag, is_set in flags.items() if is_set]
        is_new = schema.title not in ("", schema.name, schema.description)
        if is_new and not self._is_called_by_title(schema):
            pieces.append(PARAGRAPH(STRONG(text(schema.title))))
        if schema.description:
            pieces.append(self._markdown.html(schema.description))
        address, words = schema.link
        if address:
            pieces.append(PARAGRAPH(link(address, words or address)))
        if schema.enum and any(said for _, said in schema.enum):
            pieces.append(LIST("".join(ITEM(f"{coded(value)}: {text(said)}") for value, said in schema.enum if said)))
        return "".join(pieces)

    def required(self, child: Child) -> str:
        """Whether a property must be there; for one that travels in one direction alone, in which."""
        if not child.required:
            return self.label("no")
        schema = self.schemas[child.key]
        if schema.read_only == schema.write_only:
            return self.label("yes")
        return self.label("yes_in_responses" if schema.read_only else "yes_in_requests")

    def _constraints(self, schema: Schema) -> str:
        phrases: list[str] = []
        if schema.unresolved or schema.enum or schema.const is not None or schema.default is not None:
            phrases += self._about_values(schema)
        for keyword, value in schema.constraints:
            phrases.append(
                self.label(keyword, value=coded(value)) if keyword != "uniqueItems" else self.label(keyword)
            )
        if schema.facets or schema.discriminator is not None:
            phrases += self._about_alternatives(schema)
        phrases += map(self._presence, schema.presences)
        for name, names in schema.dependent:
            phrases.append(self.label("dependent", name=coded(name), names=coded_list(names)))
        if schema.required:
            phrases.append(self.label("also_required", names=coded_list(schema.required)))
        if not schema.open:
            phrases.append(self.label("closed_array" if schema.types == ("array",) else "closed_object"))
        if schema.examples:
            phrases.append(self.label("examples", values=coded_list(schema.examples)))
        return SEPARATOR.join(phrases)

    def _about_values(self, schema: Schema) -> Iterable[str]:
        if schema.unresolved and (schema.types or schema.children):
            yield self.unresolved(", ".join(schema.unresolved))
        if schema.enum:
            yield self.label("allowed", values=", ".join(coded(value) for value, _ in schema.enum))
        if schema.const is not None:
            yield self.label("const", value=coded(schema.const))
        if schema.default is not None:
            yield self.label("default", value=coded(schema.default))

    def _about_alternatives(self, schema: Schema) -> Iterable[str]:
        if schema.discriminator is not None:
            yield self._discriminator(schema.discriminator)
        for facets in schema.choices:
            name = "exactly_one" if facets[0].role == "oneOf" else "at_least_one"
            names = [facet.label or self.schemas[facet.key].name for facet in facets]
            if all(names):
                yield self.label(name, names=", ".join(map(text, names)))
            elif schema.types or any(self.schemas[facet.key].children for facet in facets):
                yield self.label(f"{name}_of_many", count=str(len(facets)))

    def _discriminator(self, discriminator: Discriminator) -> str:
        pairs = [f"{coded(value)} → {text(name) or '?'}" for value, name in discriminator.mapping]
        if discriminator.otherwise:
            pairs.append(self.label("selected_otherwise", name=text(discriminator.otherwise)))
        if not pairs:
            return self.label("selected_by_name", property=coded(discriminator.property))
        return self.label("selected_by", property=coded(discriminator.property), mapping=", ".join(pairs))

    def _presence(self, presence: Presence) -> str:
        groups = "; ".join(" + ".join(map(coded, group)) for group in presence.groups)
        is_one = presence.role == "not" and all(len(group) == 1 for group in presence.groups)
        return self.label("presence_not_one" if is_one else f"presence_{presence.role}", groups=groups)

    # --- rows of facets and of children without a name

    def within(self, facet: Facet) -> str:
        """How an alternative is called on the rows below it; plain text."""
        name = facet.label or self.schemas[facet.key].name
        if f"within_{facet.role}" in self.labels:
            return self.labels[f"within_{facet.role}"].format(name=facet.label)
        return self.labels["within"].format(name=name or self._number(facet))

    def _number(self, facet: Facet) -> str:
        return self.labels["alternative"].format(index=facet.index, count=facet.count)

    def label_of(self, facet: Facet, discriminator: Discriminator | None) -> str:
        """How an alternative is called on its own row; plain text."""
        name = facet.label or self.schemas[facet.key].name
        if facet.role == "subtype":
            label = self.labels["subtype"].format(name=name)
        elif facet.role not in {"oneOf", "anyOf"}:
            label = self.labels[f"role_{facet.role}"].format(name=facet.label)
        elif name:
            label = self.labels["alternative_named"].format(index=facet.index, count=facet.count, name=name)
        else:
            label = self._number(facet)
        if facet.values and discriminator is not None:
            values = ", ".join(facet.values)
            label = self.labels["selected"].format(label=label, property=discriminator.property, values=values)
        return label

    def said_of_child(self, child: Child) -> str:
        """What our own words say of a child that has no name."""
        label = _NAMELESS.get(child.step)
        return PARAGRAPH(self.label(label)) if label else ""


def coded_list(values: Iterable[str]) -> str:
    return ", ".join(map(coded, values))


def link(address: str, words: str) -> str:
    """A link for a person, or its words where the address is none that a browser may follow."""
    if address.startswith(("https://", "http://", "mailto:")):
        return LINK(text(address), text(words))
    return text(words if words == address else f"{words} ({address})")
