"""What a sentence says, before it is in any language."""

from dataclasses import dataclass, field
from typing import Optional

from .lexicon import Noun, Verb


@dataclass(frozen=True)
class NounPhrase:
    noun: Optional[Noun] = None
    determiner: str = "the"  # the, a, my, our, this, two, many, none
    adjectives: tuple = ()
    plural: bool = False
    pronoun: Optional[tuple] = None  # of lexicon.PRONOUNS; then noun is None

    @property
    def definite(self):
        return self.determiner in ("the", "my", "our", "this")


@dataclass(frozen=True)
class Place:
    preposition: tuple  # English, German
    phrase: NounPhrase
    goal: bool = False  # where to (accusative, but for zu), not where (dative)


@dataclass
class Clause:
    subject: Optional[NounPhrase] = None  # None: the weather
    verb: Optional[Verb] = None
    tense: str = "present"  # present, past, or the English name of a modal verb
    receiver: Optional[NounPhrase] = None  # in the dative
    object: Optional[NounPhrase] = None  # in the accusative
    companion: Optional[NounPhrase] = None
    manner: str = ""
    place: Optional[Place] = None
    time: str = ""
    predicate: object = None  # an adjective after "to be"
    weather: tuple = ()
    compositions: set = field(default_factory=set)  # what is put together here, see grammar.py

    @property
    def kind(self):
        if self.weather:
            return "weather"
        return self.verb.frame if self.verb else "be"


@dataclass
class Sentence:
    main: Clause
    conjunction: str = ""  # because, when, that
    sub: Optional[Clause] = None
    second_conjunction: str = ""  # of a clause below the subordinate one
    second: Optional[Clause] = None
    front: str = ""  # what stands before the finite verb instead of the subject: time, clause

    @property
    def compositions(self):
        found = set()
        for clause in (self.main, self.sub, self.second):
            found |= clause.compositions if clause else set()
        if self.sub:
            found.add(("nesting", self.conjunction, self.sub.kind, self.sub.tense))
        if self.second:
            found.add(("nesting", self.conjunction, self.second_conjunction))
        return found
