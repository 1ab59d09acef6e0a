"""What is written with a capital and is no person: programs, brands, firms, clubs, projects, medicines, works, laws of nature,
offices, greetings. `phrases` has sentences about them, and sentences of the same registers that name a person, so that the
register alone decides nothing."""

import random
import re
from pathlib import Path

from text import fold, lower

HERE = Path(__file__).parent


def lines(path):
    return [line.replace("\\n", "\n") for line in (HERE / path).read_text().splitlines() if line]


NAMES = ("software", "brands", "firms", "clubs", "projects", "namesakes", "medicines", "works", "eponyms", "units", "greetings", "offices", "crowds", "languages", "assistants", "idioms", "word-names", "kin")
LISTS = {name: lines(f"lists/{name}.txt") for name in NAMES}
LISTED_SOFTWARE, LISTED_BRANDS = lines("lists/listed-software.txt"), lines("lists/listed-brands.txt")
GIVEN, FAMILY = lines("lists/given.txt"), lines("lists/family.txt")
PHRASES = {name: lines(f"phrases/{name}.txt") for name in ("things", "mixed", "people", "words", "places")}
PARTS = {"does": "does", "done": "done", "after": "after", "pdoes": "person-does", "pdone": "person-done", "fdoes": "firm-does", "cdoes": "club-does", "enoun": "eponym-noun"}
PARTS = {slot: lines(f"phrases/{name}.txt") for slot, name in PARTS.items()}
PART = re.compile(r"\{(does|done|after|pdoes|pdone|fdoes|cdoes|enoun)\}")
STARTS, ENDS = lines("phrases/name-starts.txt"), lines("phrases/name-ends.txt")
# Names of things in the feature lists; idioms and works are left out, because their words are those of people.
FEATURES = ("software", "brands", "firms", "clubs", "projects", "medicines", "units", "languages", "assistants")

DEPARTMENTS = """Sales|Marketing|Finance|Engineering|Operations|Support|Customer Success|Customer Support|Human Resources|People|Legal|Security|IT|Product|Design|Research|Data|Platform|Infrastructure|Quality|
Procurement|Logistics|Communications|Compliance|Growth|Strategy|Accounting|Payroll|Training|Facilities|Nursing|Admissions|Partnerships|Business Development|Learning and Development|Public Affairs|Risk|Treasury|Tax""".replace("\n", "").split("|")
LEADS = "Head|Director|VP|Vice President|Manager|Chief|Lead|SVP|Deputy Head|Group Head|Global Head|Associate Director|Secretary|Dean|Minister|Commissioner".split("|")
RANKS = "Senior|Junior|Lead|Principal|Chief|Staff|Deputy|Assistant|Associate|Interim|Regional|Global|Executive|Managing|Acting|Night|Head".split("|")
JOBS = """Engineer|Developer|Analyst|Designer|Architect|Consultant|Nurse|Accountant|Controller|Recruiter|Buyer|Planner|Editor|Writer|Auditor|Officer|Manager|Administrator|Technician|Scientist|Researcher|Lecturer|Teacher|
Coordinator|Specialist|Representative|Supervisor|Driver|Chef|Lawyer|Counsel|Partner|Assistant|Secretary|Trainer|Producer|Surgeon|Pharmacist|Paramedic|Librarian|Translator|Electrician|Welder|Mechanic""".replace("\n", "").split("|")


def invented(count):
    """Names that nobody has heard of, as programs and firms have them; always the same."""
    rng = random.Random(5)
    out = set()
    while len(out) < count:
        name = rng.choice(STARTS) + rng.choice(ENDS)
        roll = rng.random()
        if roll < 0.12:
            name = rng.choice(STARTS) + rng.choice(ENDS).title()
        elif roll < 0.2:
            name = rng.choice(STARTS) + rng.choice(STARTS)
        elif roll < 0.25:
            name = rng.choice(STARTS) + rng.choice(STARTS).lower() + rng.choice(ENDS)
        elif roll < 0.28:
            name = name.upper()[: rng.randint(3, 6)]
        out.add(name)
    return sorted(out)


class Things:
    """Fills the slots of `phrases`. A slot that ends in x stands where the words around it leave no doubt: there the thing may bear a
    person's name."""

    def __init__(self, names, words, product, namesakes):
        self.n, self.product, self.namesakes = names, product, namesakes
        self.t = {**LISTS, "invented": invented(5000)}
        # A name that many people bear stands for a thing only where that is clear, and for a person as often.
        given = {fold(lower(name)) for name in GIVEN + LISTS["namesakes"] + LISTS["word-names"]}
        plain = lambda some: [name for name in some if fold(lower(name)) not in given]
        self.listed = {"s": plain(LISTED_SOFTWARE), "b": plain(LISTED_BRANDS)}
        named = [name for group in (*FEATURES, "works", "idioms", "eponyms") for name in LISTS[group]] + LISTED_SOFTWARE
        self.shared = sorted({name for name in named if fold(lower(name)) in given})
        self.words = [word for word in words if word not in given]
        for group in ("software", "brands", "firms", "projects", "works"):
            self.t[group] = plain(LISTS[group])
        self.makers = {
            **dict.fromkeys(("soft", "softx", "brand", "brandx"), self.ware),
            **dict.fromkeys(("firm", "firmx", "pair", "club"), self.firm),
            **dict.fromkeys(("proj", "projx", "epo", "lang", "ai", "unitlow", "word", "office", "kin"), self.codename),
        }
        self.named = {"med": "medicines", "work": "works", "unit": "units", "greet": "greetings", "crowd": "crowds", "idiom": "idioms", "namesake": "namesakes"}

    def template(self, rng, name):
        template = rng.choice(PHRASES[name])
        for _ in range(3):
            template = PART.sub(lambda slot: rng.choice(PARTS[slot[1]]), template)
        return template

    def fill(self, rng, slot):
        """(tag, text), or None for a slot of another kind."""
        if slot in self.makers:
            tag = self.product if self.makers[slot] == self.ware else "ORG" if self.makers[slot] == self.firm else None
            return tag, self.makers[slot](rng, slot)
        if slot in self.named:
            return None, rng.choice(self.t[self.named[slot]])
        return None

    def namesake(self, rng):
        roll = rng.random()
        pool = self.t["namesakes"] if roll < 0.35 else self.shared if roll < 0.6 else GIVEN if roll < 0.75 else self.n["first"] if roll < 0.85 else self.n["last"]
        return rng.choice(pool)

    def ware(self, rng, slot):
        if slot[-1] == "x" and rng.random() < self.namesakes:
            return self.namesake(rng)
        roll = rng.random()
        if roll < 0.35:
            return rng.choice(self.t["software" if slot[0] == "s" else "brands"])
        if roll < 0.7:
            return rng.choice(self.listed[slot[0]])
        return rng.choice(self.t["invented"] if roll < 0.92 else self.t["projects"])

    def firm(self, rng, slot):
        if slot == "club":
            return rng.choice(self.t["clubs"]).removeprefix("the ")
        if slot == "pair":
            two = [rng.choice(self.n["last"] if rng.random() < 0.8 else self.n["first"]) for _ in range(2)]
            return rng.choice([" & ", " & ", " and "]).join(two) + rng.choice(["", "", "", "'s"])
        roll = rng.random()
        if slot == "firmx" and roll < 0.12:
            last = lambda: rng.choice(self.n["last"])
            return f"{last()} {last()}" if roll < 0.06 else last()
        return rng.choice(self.t["firms"] if roll < 0.6 else self.listed["b"] if roll < 0.8 else self.t["invented"] if roll < 0.9 else self.t["brands"])

    def codename(self, rng, slot):
        roll = rng.random()
        if slot == "epo":
            return rng.choice(self.t["eponyms"] if roll < 0.55 else FAMILY if roll < 0.75 else self.n["last"])
        if slot == "lang":
            return rng.choice(self.t["languages"] if roll < 0.85 else self.t["namesakes"] if roll < 0.93 else GIVEN)
        if slot == "ai":
            return rng.choice(self.t["assistants"] if roll < 0.8 else self.t["invented"])
        if slot == "unitlow":
            return rng.choice(self.t["units"]).lower()
        if slot == "word":
            word = rng.choice(self.words)
            return word if rng.random() < 0.1 else word.capitalize()
        if slot == "office":
            return self.office(rng)
        if slot == "kin":
            kin = rng.choice(self.t["kin"])
            return kin.lower() if roll < 0.2 else kin
        if slot == "projx" and rng.random() < self.namesakes:
            return self.namesake(rng)
        return rng.choice(self.t["projects"] if roll < 0.5 else self.t["invented"]) if roll < 0.65 else rng.choice(self.words).capitalize()

    def office(self, rng):
        roll = rng.random()
        if roll < 0.35:
            return rng.choice(self.t["offices"])
        if roll < 0.6:
            return f"{rng.choice(LEADS)} of {rng.choice(DEPARTMENTS)}"
        if roll < 0.75:
            return f"{rng.choice(DEPARTMENTS)} {rng.choice(JOBS)}"
        if roll < 0.9:
            return f"{rng.choice(RANKS)} {rng.choice(JOBS)}"
        return f"{rng.choice(RANKS)} {rng.choice(DEPARTMENTS)} {rng.choice(JOBS)}"
