"""Writes a sentence in English."""

from .lexicon import MODALS


def noun_phrase(phrase):
    if phrase.pronoun:
        return [phrase.pronoun[0]]
    noun = phrase.noun.en_plural if phrase.plural else phrase.noun.en
    words = [adjective.en for adjective in phrase.adjectives] + [noun]
    determiner = phrase.determiner
    if determiner == "a" and words[0][0] in "aeiou":
        determiner = "an"
    if determiner == "this" and phrase.plural:
        determiner = "these"
    return words if determiner == "none" else [determiner] + words


def is_plural(phrase):
    return phrase.pronoun[2] if phrase.pronoun else phrase.plural


def to_be(clause):
    plural = is_plural(clause.subject)
    if clause.tense == "present":
        return "are" if plural else "is"
    return "were" if plural else "was"


def finite_verb(clause):
    if clause.verb is None:
        return to_be(clause)
    if clause.tense in MODALS:
        return clause.tense + " " + clause.verb.en
    if clause.tense == "past":
        return clause.verb.en_past
    return clause.verb.en if is_plural(clause.subject) else clause.verb.en_third


def place(where):
    return [where.preposition[0]] + noun_phrase(where.phrase)


def clause(said, time=True):
    if said.weather:
        return ["it", said.weather[0]]
    words = noun_phrase(said.subject) + [finite_verb(said)]
    if said.predicate:
        words.append(said.predicate.en)
    for phrase in (said.receiver, said.object):
        words += noun_phrase(phrase) if phrase else []
    words += ["with"] + noun_phrase(said.companion) if said.companion else []
    words += [said.manner] if said.manner else []
    words += place(said.place) if said.place else []
    return words + [said.time] if time and said.time else words


def subordinate(sentence):
    words = [sentence.conjunction] + clause(sentence.sub)
    return words + [sentence.second_conjunction] + clause(sentence.second) if sentence.second else words


def write(sentence):
    main = clause(sentence.main, time=sentence.front != "time")
    if sentence.front == "clause":
        words = [" ".join(subordinate(sentence)) + ","] + main
    else:
        words = [sentence.main.time] + main if sentence.front == "time" else main
        words += subordinate(sentence) if sentence.sub else []
    text = " ".join(words)
    return text[0].upper() + text[1:] + "."
