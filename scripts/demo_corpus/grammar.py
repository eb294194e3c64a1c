"""Makes random sentences, and notes in each what it puts together."""

from . import lexicon
from .english import is_plural
from .lexicon import adjectives_of, nouns_of
from .sentence import Clause, NounPhrase, Place, Sentence

# Frames of verbs in a main clause and how often; the weather and "to be" come beside them.
FRAMES = {"rest": 18, "return": 4, "bare": 3, "go": 8, "direct": 30, "carry": 6, "place": 6, "dative": 9, "give": 9, "be": 9}
DETERMINERS = {"the": 46, "a": 22, "my": 8, "our": 6, "this": 6, "two": 5, "many": 4, "none": 3}
UNFIT = {"kin": ("a", "this", "many", "none"), "unowned": ("my", "our")}  # by the kind of noun
SINGULAR_ONLY, PLURAL_ONLY = ("a",), ("two", "many", "none")


class Grammar:
    """`random` gives numbers in [0, 1): nothing else is drawn from it, so every version of Python makes the same."""

    def __init__(self, random):
        self.random = random

    def chance(self, probability):
        return self.random() < probability

    def pick(self, items):
        return items[int(self.random() * len(items))]

    def weighted(self, weights):
        place = self.random() * sum(weights.values())
        for item, weight in weights.items():
            place -= weight
            if place < 0:
                return item
        return item

    # Noun phrases

    def adjectives(self, noun, probability, found):
        fitting = adjectives_of(noun)
        if not fitting or not self.chance(probability):
            return ()
        chosen = [self.pick(fitting)]
        others = [a for a in fitting if a.group != chosen[0].group]
        if others and self.chance(0.12):
            chosen = sorted(chosen + [self.pick(others)], key=lambda a: lexicon.GROUPS.index(a.group))
        found.update(("adjective", adjective.en, noun.en) for adjective in chosen)
        return tuple(chosen)

    def phrase(self, kinds, found, without=()):
        noun = self.pick([n for n in nouns_of(kinds) if n not in without])
        unfit = {word for kind in noun.kinds for word in UNFIT.get(kind, ())}
        determiner = self.weighted({word: weight for word, weight in DETERMINERS.items() if word not in unfit})
        plural = determiner in PLURAL_ONLY or (determiner not in SINGULAR_ONLY and self.chance(0.2))
        if noun.en_plural == "-":  # water, bread: "cold water", "the cold water"
            determiner, plural = ("none" if self.chance(0.6) else "the"), False
        likely = 0.7 if determiner == "none" else 0.42
        return NounPhrase(noun, determiner, self.adjectives(noun, likely, found), plural)

    def subject(self, kinds, found):
        if "person" in kinds and self.chance(0.25):
            return NounPhrase(pronoun=self.pick(lexicon.PRONOUNS))
        return self.phrase(kinds, found)

    # Places

    def place_phrase(self, noun, found):
        determiner = "our" if noun.en in ("garden", "house", "kitchen", "school") and self.chance(0.15) else "the"
        return NounPhrase(noun, determiner, self.adjectives(noun, 0.2, found))

    def location(self, found, table=False):
        noun = self.pick([n for n in nouns_of(("place",)) if table or "top" not in n.kinds])
        return Place(self.pick(lexicon.LOCATIONS[noun.en]), self.place_phrase(noun, found))

    def goal(self, found):
        noun = self.pick(nouns_of(("inside", "goal")))
        preposition = ("to", "zu") if "goal" in noun.kinds else ("into", "in")
        return Place(preposition, self.place_phrase(noun, found), goal=True)

    def table_top(self, found):
        return Place(("on", "auf"), self.place_phrase(nouns_of(("top",))[0], found), goal=True)

    # Clauses

    def tense(self, tenses):
        return self.weighted({t: w for t, w in {"present": 56, "past": 30, "can": 7, "must": 7}.items() if t in tenses})

    def time(self, clause, probability):
        if self.chance(probability):
            times = lexicon.TIMES_PAST if clause.tense == "past" else lexicon.TIMES_PRESENT
            clause.time = self.pick([t for t in times if not (t == "every day" and clause.tense in lexicon.MODALS)])

    def be(self, clause):
        clause.subject = self.subject(("person", "animal"), clause.compositions)
        if self.chance(0.3):
            clause.place = self.location(clause.compositions)
            return
        noun = clause.subject.noun or nouns_of(("person",))[0]
        said = clause.subject.adjectives
        taken = {adjective.group for adjective in said} - {"state"}  # no small dog is big
        fitting = [a for a in adjectives_of(noun) if a not in said and a.group not in taken]
        clause.predicate = self.pick(fitting)
        if clause.subject.noun:
            clause.compositions.add(("adjective", clause.predicate.en, noun.en))

    def manner(self, clause, probability):
        if clause.verb.manners and self.chance(probability):
            clause.manner = self.pick(clause.verb.manners)

    def complete_motionless(self, clause):
        """rest, return, bare, go: verbs without an object."""
        frame = clause.verb.frame
        used = (clause.subject.noun,)
        if frame == "go":
            self.manner(clause, 0.25)
            clause.place = self.goal(clause.compositions)
        elif frame == "bare":
            self.manner(clause, 0.6)
        elif clause.verb.en != "sleep" and self.chance(0.25):
            clause.companion = self.phrase(("person", "animal"), clause.compositions, used)
        else:
            self.manner(clause, 0.4)
        if frame == "rest" and self.chance(0.45):
            clause.place = self.location(clause.compositions)

    def complete_direct(self, clause):
        clause.object = self.phrase(clause.verb.objects, clause.compositions, (clause.subject.noun,))
        frame = clause.verb.frame
        if clause.object.definite:
            self.manner(clause, 0.3)
        if frame == "carry":
            clause.place = self.goal(clause.compositions)
        elif frame == "place":
            clause.place = self.table_top(clause.compositions)
        elif not clause.manner and not clause.verb.particle and self.chance(0.2):
            clause.place = self.location(clause.compositions, table=clause.verb.en in ("find", "look for"))

    def complete_receiver(self, clause):
        kinds = clause.verb.objects
        clause.receiver = self.phrase(kinds, clause.compositions, (clause.subject.noun,))
        if clause.verb.frame == "give":
            clause.object = self.phrase(("gift",), clause.compositions)
        elif clause.receiver.definite:
            self.manner(clause, 0.2)

    def clause(self, tenses=("present", "past", "can", "must"), time=0.25, short=False):
        clause = Clause(tense=self.tense(tenses))
        frame = self.weighted(FRAMES)
        if frame == "be":
            clause.tense = "past" if clause.tense == "past" else "present" if "present" in tenses else "past"
            self.be(clause)
            return clause
        clause.verb = self.pick([v for v in lexicon.verbs if v.frame == frame])
        clause.subject = self.subject(clause.verb.subjects, clause.compositions)
        if clause.verb.en == "read" and clause.tense == "past" and is_plural(clause.subject):
            clause.tense = "present"  # "they read" would be both
        if frame in ("rest", "return", "bare", "go"):
            self.complete_motionless(clause)
        elif frame in ("direct", "carry", "place"):
            self.complete_direct(clause)
        else:
            self.complete_receiver(clause)
        self.time(clause, time)
        self.note(clause)
        return clause

    def note(self, clause):
        if clause.subject.noun:
            clause.compositions.add(("subject", clause.subject.noun.en, clause.verb.en))
        other = clause.object or clause.receiver
        if other:
            clause.compositions.add(("object", clause.verb.en, other.noun.en))

    def weather(self, tense):
        table = lexicon.WEATHER_PAST if tense == "past" else lexicon.WEATHER_PRESENT
        return Clause(tense=tense, weather=self.pick(table))

    # Sentences

    def sentence(self):
        kind = self.weighted({"plain": 46, "because": 16, "when": 5, "fronted when": 11, "that": 14, "twice": 8})
        return getattr(self, kind.replace(" ", "_"))()

    def plain(self):
        sentence = Sentence(self.clause(time=0.5))
        return self.front_time(sentence, 0.45)

    def front_time(self, sentence, probability):
        if sentence.main.time and self.chance(probability):
            sentence.front = "time"
        return sentence

    def because(self):
        main = self.clause(time=0.2)
        tenses = ("past",) if main.tense == "past" else ("present", "past", "can", "must")
        sub = self.weather("past" if main.tense == "past" else "present") if self.chance(0.3) else self.clause(tenses, time=0.08)
        return self.front_time(Sentence(main, "because", sub), 0.6)

    def when(self):
        main = self.clause(("present", "must", "can"), time=0)
        sub = self.weather("present") if self.chance(0.3) else self.clause(("present",), time=0)
        return Sentence(main, "when", sub)

    def fronted_when(self):
        sentence = self.when()
        sentence.front = "clause"
        return sentence

    def matrix(self):
        clause = Clause(tense="present", verb=self.pick([v for v in lexicon.verbs if v.frame == "that"]))
        clause.subject = self.subject(clause.verb.subjects, clause.compositions)
        self.note(clause)
        return clause

    def that(self):
        return Sentence(self.matrix(), "that", self.clause(time=0.15))

    def twice(self):
        """A clause below a clause: "He knows that she works when it rains." """
        conjunction = "because" if self.chance(0.6) else "when"
        sub = self.clause(("present", "must", "can"), time=0)
        second = self.weather("present") if self.chance(0.5) else self.clause(("present",), time=0)
        return Sentence(self.matrix(), "that", sub, conjunction, second)
