"""The words: what they are in both languages, their forms, and which go together."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Noun:
    en: str
    en_plural: str  # "-": no plural (mass nouns, places)
    gender: str  # m, f, n
    nom: str
    acc: str
    dat: str
    plural: str
    dat_plural: str
    kinds: tuple


@dataclass(frozen=True)
class Adjective:
    en: str
    de: str  # as a predicate
    stem: str  # before an ending
    group: str  # only adjectives of two groups stand side by side, in the order of GROUPS
    kinds: tuple  # of nouns


@dataclass(frozen=True)
class Verb:
    en: str  # infinitive
    en_third: str
    en_past: str
    de: str  # infinitive without its particle, also the plural of the present
    de_third: str
    particle: str  # of a separable verb, or ""
    participle: str
    auxiliary: str  # haben, sein
    frame: str
    subjects: tuple
    objects: tuple  # kinds of the (accusative or dative) object; of the dative one for ditransitive verbs
    manners: tuple


# English singular/plural, gender, nominative/accusative/dative (one form: the same in all), plural/dative plural, kinds.
# Kinds: what a word is, what can be done with it, which adjectives and determiners fit (kin: no "a brother"; unowned: no
# "my man"; weighty: may be heavy; standing and lying: what German does with it on a table).
NOUNS = """
farmer/farmers      m Bauer/Bauern/Bauern     Bauern/Bauern           person adult unowned
teacher/teachers    m Lehrer                  Lehrer/Lehrern          person adult
doctor/doctors      f Ärztin                  Ärztinnen/Ärztinnen     person adult
man/men             m Mann                    Männer/Männern          person adult unowned
woman/women         f Frau                    Frauen/Frauen           person adult unowned
neighbour/neighbours m Nachbar/Nachbarn/Nachbarn Nachbarn/Nachbarn    person adult
friend/friends      m Freund                  Freunde/Freunden        person adult
girl/girls          n Mädchen                 Mädchen/Mädchen         person child youth unowned
boy/boys            m Junge/Jungen/Jungen     Jungen/Jungen           person child
child/children      n Kind                    Kinder/Kindern          person child
sister/sisters      f Schwester               Schwestern/Schwestern   person child kin
brother/brothers    m Bruder                  Brüder/Brüdern          person child kin
dog/dogs            m Hund                    Hunde/Hunden            animal
cat/cats            f Katze                   Katzen/Katzen           animal
horse/horses        n Pferd                   Pferde/Pferden          animal
bird/birds          m Vogel                   Vögel/Vögeln            animal bird
door/doors          f Tür                     Türen/Türen             thing openable
window/windows      n Fenster                 Fenster/Fenstern        thing openable
gate/gates          n Tor                     Tore/Toren              thing openable
box/boxes           f Kiste                   Kisten/Kisten           thing openable portable weighty standing
suitcase/suitcases  m Koffer                  Koffer/Koffern          thing openable portable weighty standing
book/books          n Buch                    Bücher/Büchern          thing readable portable gift weighty lying
letter/letters      m Brief                   Briefe/Briefen          thing readable portable gift lying
newspaper/newspapers f Zeitung                Zeitungen/Zeitungen     thing readable portable gift lying
apple/apples        m Apfel                   Äpfel/Äpfeln            food portable gift
cake/cakes          m Kuchen                  Kuchen/Kuchen           food portable gift standing
egg/eggs            n Ei                      Eier/Eiern              food portable gift
basket/baskets      m Korb                    Körbe/Körben            thing portable gift weighty standing
chair/chairs        m Stuhl                   Stühle/Stühlen          thing portable weighty standing
lamp/lamps          f Lampe                   Lampen/Lampen           thing portable gift weighty standing
key/keys            m Schlüssel               Schlüssel/Schlüsseln    thing portable gift lying
flower/flowers      f Blume                   Blumen/Blumen           thing portable gift lying
hat/hats            m Hut                     Hüte/Hüten              thing portable gift lying
picture/pictures    n Bild                    Bilder/Bildern          thing portable gift weighty standing
water/-             n Wasser                  -/-                     drink
milk/-              f Milch                   -/-                     drink
coffee/-            m Kaffee                  -/-                     drink
bread/-             n Brot                    -/-                     dish
soup/-              f Suppe                   -/-                     dish
garden/-            m Garten                  -/-                     place inside
house/-             n Haus                    -/-                     place inside
kitchen/-           f Küche                   -/-                     place inside
forest/-            m Wald                    -/-                     place inside
school/-            f Schule                  -/-                     place inside goal
station/-           m Bahnhof                 -/-                     place goal
market/-            m Markt                   -/-                     place goal
bridge/-            f Brücke                  -/-                     place goal
tree/-              m Baum                    -/-                     place
table/-             m Tisch                   -/-                     place top
"""

# English, German predicate, stem, group, kinds of nouns.
GROUPS = ("state", "size", "age", "colour")
ADJECTIVES = """
old       alt        alt        age    adult animal thing place
young     jung       jung       age    adult animal youth
small     klein      klein      size   child animal thing food place
big       groß       groß       size   animal thing food place
tired     müde       müd        state  person animal
hungry    hungrig    hungrig    state  person animal
clever    klug       klug       state  person animal
friendly  freundlich freundlich state  person
beautiful schön      schön      state  animal thing
new       neu        neu        age    thing
heavy     schwer     schwer     size   weighty
red       rot        rot        colour thing
green     grün       grün       colour thing
black     schwarz    schwarz    colour animal thing
fresh     frisch     frisch     size   food dish
cold      kalt       kalt       state  drink dish
warm      warm       warm       state  drink dish
"""

# English infinitive, third person, past ("_" for a space); German infinitive, third person, particle, participle, auxiliary;
# frame; subjects; objects; adverbs of manner.
VERBS = """
sleep     sleeps     slept      schlafen schläft - geschlafen haben      rest    person,animal  -             -
work      works      worked     arbeiten arbeitet - gearbeitet haben     rest    person         -             slowly,quickly,quietly
play      plays      played     spielen spielt - gespielt haben          rest    child,animal   -             quietly,happily
sing      sings      sang       singen singt - gesungen haben            rest    person,bird    -             quietly,happily
wait      waits      waited     warten wartet - gewartet haben           rest    person,animal  -             -
dance     dances     danced     tanzen tanzt - getanzt haben             rest    person         -             slowly,happily
come_back comes_back came_back  kommen kommt zurück zurückgekommen sein  return  person,animal  -             slowly,quickly,happily
get_up    gets_up    got_up     stehen steht auf aufgestanden sein       bare    person,animal  -             slowly,quickly,quietly
run       runs       ran        laufen läuft - gelaufen sein             go      person,animal  -             slowly,quickly
see       sees       saw        sehen sieht - gesehen haben              direct  person,animal  person,animal,thing   -
find      finds      found      finden findet - gefunden haben           direct  person         animal,portable       -
look_for  looks_for  looked_for suchen sucht - gesucht haben             direct  person         person,animal,portable -
buy       buys       bought     kaufen kauft - gekauft haben             direct  adult          portable,drink,dish   -
open      opens      opened     machen macht auf aufgemacht haben        direct  person         openable      slowly,quietly,carefully
close     closes     closed     machen macht zu zugemacht haben          direct  person         openable      slowly,quietly,carefully
read      reads      read       lesen liest - gelesen haben              direct  person         readable      slowly,carefully
eat       eats       ate        essen isst - gegessen haben              direct  person         food,dish     slowly,quickly
drink     drinks     drank      trinken trinkt - getrunken haben         direct  person         drink         slowly,quickly
bring     brings     brought    bringen bringt mit mitgebracht haben     direct  person         portable      -
pick_up   picks_up   picked_up  holen holt ab abgeholt haben             direct  adult          person        -
call      calls      called     rufen ruft an angerufen haben            direct  person         person        -
carry     carries    carried    tragen trägt - getragen haben            carry   person         portable      slowly,carefully
place     places     placed     stellen stellt - gestellt haben          place   person         standing      carefully
lay       lays       laid       legen legt - gelegt haben                place   person         lying         carefully
help      helps      helped     helfen hilft - geholfen haben            dative  person         person,animal -
thank     thanks     thanked    danken dankt - gedankt haben             dative  person         person        -
follow    follows    followed   folgen folgt - gefolgt sein              dative  person,animal  person,animal quietly,slowly
give      gives      gave       geben gibt - gegeben haben               give    person         person        -
show      shows      showed     zeigen zeigt - gezeigt haben             give    person         person        -
say       says       said       sagen sagt - gesagt haben                that    person         -             -
know      knows      knew       wissen weiß - gewusst haben              that    person         -             -
believe   believes   believed   glauben glaubt - geglaubt haben          that    person         -             -
hope      hopes      hoped      hoffen hofft - gehofft haben             that    person         -             -
"""

MANNERS = {
    "slowly": "langsam",
    "quickly": "schnell",
    "quietly": "leise",
    "happily": "fröhlich",
    "carefully": "vorsichtig",
}
TIMES_PRESENT = {
    "today": "heute",
    "now": "jetzt",
    "every day": "jeden Tag",
    "in the evening": "am Abend",
    "on Sunday": "am Sonntag",
}
TIMES_PAST = {
    "yesterday": "gestern",
    "last week": "letzte Woche",
    "in the evening": "am Abend",
    "on Sunday": "am Sonntag",
}
MODALS = {"can": ("kann", "können"), "must": ("muss", "müssen")}
CONJUNCTIONS = {"because": "weil", "when": "wenn", "that": "dass"}

# Subjects without a noun: English, German, plural?
PRONOUNS = (("he", "er", False), ("she", "sie", False), ("we", "wir", True), ("they", "sie", True))
# English and German at the end of a subordinate clause, German finite verb, German rest: "it is raining", "es regnet".
WEATHER_PRESENT = (("is raining", "regnet", ""), ("is snowing", "schneit", ""), ("is cold", "ist", "kalt"), ("is warm", "ist", "warm"))
WEATHER_PAST = (("rained", "hat", "geregnet"), ("snowed", "hat", "geschneit"), ("was cold", "war", "kalt"), ("was warm", "war", "warm"))

# Locations: the prepositions of each place, English → German with the dative.
LOCATIONS = {
    "garden": (("in", "in"),),
    "house": (("in", "in"), ("behind", "hinter"), ("in front of", "vor")),
    "kitchen": (("in", "in"),),
    "forest": (("in", "in"),),
    "school": (("in", "in"), ("behind", "hinter"), ("in front of", "vor")),
    "station": (("at", "an"), ("behind", "hinter"), ("in front of", "vor")),
    "market": (("at", "auf"),),
    "bridge": (("on", "auf"), ("under", "unter")),
    "tree": (("under", "unter"), ("behind", "hinter")),
    "table": (("on", "auf"), ("under", "unter")),
}


def _rows(table):
    return [line.split() for line in table.strip().splitlines()]


def _words(text):
    return () if text == "-" else tuple(text.split(","))


def _noun(english, gender, singular, plural, *kinds):
    nom, acc, dat = singular.split("/") if "/" in singular else (singular,) * 3
    return Noun(*english.split("/"), gender, nom, acc, dat, *plural.split("/"), kinds)


def _verb(en, third, past, de, de_third, particle, participle, auxiliary, frame, subjects, objects, manners):
    english = (word.replace("_", " ") for word in (en, third, past))
    particle = particle.replace("-", "")
    return Verb(*english, de, de_third, particle, participle, auxiliary, frame, *map(_words, (subjects, objects, manners)))


nouns = [_noun(*row) for row in _rows(NOUNS)]
adjectives = [Adjective(*row[:4], tuple(row[4:])) for row in _rows(ADJECTIVES)]
verbs = [_verb(*row) for row in _rows(VERBS)]


def nouns_of(kinds):
    return [noun for noun in nouns if set(noun.kinds) & set(kinds)]


def adjectives_of(noun):
    return [adjective for adjective in adjectives if set(adjective.kinds) & set(noun.kinds)]
