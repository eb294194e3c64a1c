"""Writes a sentence in German: endings by gender, case and determiner; the verb second, or last after a conjunction."""

from .lexicon import CONJUNCTIONS, MANNERS, MODALS, TIMES_PAST, TIMES_PRESENT

# Each table: case → m, f, n, plural.
GENDERS = {"m": 0, "f": 1, "n": 2}
DEFINITE = {
    "nom": ("der", "die", "das", "die"),
    "acc": ("den", "die", "das", "die"),
    "dat": ("dem", "der", "dem", "den"),
}
# Endings of dies-, and of ein-, mein- and unser- after the full stem.
STRONG = {"nom": ("er", "e", "es", "e"), "acc": ("en", "e", "es", "e"), "dat": ("em", "er", "em", "en")}
INDEFINITE = {"nom": ("", "e", "", "e"), "acc": ("en", "e", "", "e"), "dat": ("em", "er", "em", "en")}
# Adjectives: weak endings after the and this; mixed ones after a, my and our; strong ones without an article or after a number.
WEAK = {"nom": ("e", "e", "e", "en"), "acc": ("en", "e", "e", "en"), "dat": ("en", "en", "en", "en")}
MIXED = {"nom": ("er", "e", "es", "en"), "acc": ("en", "e", "es", "en"), "dat": ("en", "en", "en", "en")}
STEMS = {"a": "ein", "my": "mein", "our": "unser"}
ENDINGS = {"the": WEAK, "this": WEAK, "a": MIXED, "my": MIXED, "our": MIXED, "two": STRONG, "many": STRONG, "none": STRONG}
CONTRACTIONS = {"in dem": "im", "an dem": "am", "in das": "ins", "zu dem": "zum", "zu der": "zur"}
AUXILIARIES = {"haben": ("hat", "haben"), "sein": ("ist", "sind")}


def determiner(phrase, case, column):
    if phrase.determiner == "the":
        return [DEFINITE[case][column]]
    if phrase.determiner == "this":
        return ["dies" + STRONG[case][column]]
    if phrase.determiner in STEMS:
        return [STEMS[phrase.determiner] + INDEFINITE[case][column]]
    if phrase.determiner == "many":
        return ["vielen" if case == "dat" else "viele"]
    return ["zwei"] if phrase.determiner == "two" else []


def noun_form(phrase, case):
    noun = phrase.noun
    if phrase.plural:
        return noun.dat_plural if case == "dat" else noun.plural
    return {"nom": noun.nom, "acc": noun.acc, "dat": noun.dat}[case]


def noun_phrase(phrase, case):
    if phrase.pronoun:
        return [phrase.pronoun[1]]
    column = 3 if phrase.plural else GENDERS[phrase.noun.gender]
    ending = ENDINGS[phrase.determiner][case][column]
    adjectives = [adjective.stem + ending for adjective in phrase.adjectives]
    return determiner(phrase, case, column) + adjectives + [noun_form(phrase, case)]


def is_plural(phrase):
    return phrase.pronoun[2] if phrase.pronoun else phrase.plural


def place(where):
    preposition = where.preposition[1]
    case = "acc" if where.goal and preposition != "zu" else "dat"
    words = [preposition] + noun_phrase(where.phrase, case)
    contracted = CONTRACTIONS.get(" ".join(words[:2])) if where.phrase.determiner == "the" else None
    return [contracted] + words[2:] if contracted else words


def verb_parts(clause):
    """The finite verb; what closes the main clause; the whole verb where it stands last."""
    if clause.weather:
        finite, rest = clause.weather[1:]
        return finite, [rest] if rest else [], [rest, finite] if rest else [finite]
    number = 1 if is_plural(clause.subject) else 0
    verb = clause.verb
    if verb is None:
        finite = {"present": ("ist", "sind"), "past": ("war", "waren")}[clause.tense][number]
        return finite, [], [finite]
    if clause.tense == "present":
        finite = (verb.de_third, verb.de)[number]
        return finite, [verb.particle] if verb.particle else [], [verb.particle + finite]
    if clause.tense == "past":
        finite, rest = AUXILIARIES[verb.auxiliary][number], verb.participle
    else:
        finite, rest = MODALS[clause.tense][number], verb.particle + verb.de
    return finite, [rest], [rest, finite]


def time_of(clause):
    return [(TIMES_PAST if clause.tense == "past" else TIMES_PRESENT)[clause.time]] if clause.time else []


def middle(clause, time=True):
    """What stands between the subject and the end: time, receiver, object, companion, manner, place."""
    words = time_of(clause) if time else []
    words = words + (noun_phrase(clause.receiver, "dat") if clause.receiver else [])
    words += noun_phrase(clause.object, "acc") if clause.object else []
    words += ["mit"] + noun_phrase(clause.companion, "dat") if clause.companion else []
    words += [MANNERS[clause.manner]] if clause.manner else []
    words += place(clause.place) if clause.place else []
    return words + [clause.predicate.de] if clause.predicate else words


def subject(clause):
    return noun_phrase(clause.subject, "nom") if clause.subject else ["es"]


def main_clause(clause, fronted=False, time=True):
    """With the verb second: after the subject, or after what was fronted."""
    finite, closing, _ = verb_parts(clause)
    opening = [finite] + subject(clause) if fronted else subject(clause) + [finite]
    return opening + middle(clause, time) + closing


def subordinate_clause(conjunction, clause):
    return [CONJUNCTIONS[conjunction]] + subject(clause) + middle(clause) + verb_parts(clause)[2]


def subordinate(sentence):
    text = " ".join(subordinate_clause(sentence.conjunction, sentence.sub))
    if sentence.second:
        text += ", " + " ".join(subordinate_clause(sentence.second_conjunction, sentence.second))
    return text


def write(sentence):
    if sentence.front == "clause":
        text = subordinate(sentence) + ", " + " ".join(main_clause(sentence.main, fronted=True))
    else:
        fronted = sentence.front == "time"
        words = time_of(sentence.main) if fronted else []
        text = " ".join(words + main_clause(sentence.main, fronted, time=not fronted))
        text += ", " + subordinate(sentence) if sentence.sub else ""
    return text[0].upper() + text[1:] + "."
