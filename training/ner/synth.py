"""Sentences made from templates: chat, email, forms, tickets, records, addresses of many countries, and plain negatives.

In a template {per}, {loc} … are filled and tagged, {date}, {phone} … are filled and not tagged. Lines end with \\n."""

import re

from names import MORE_FIRST, MORE_LAST
from templates import TEMPLATES
from text import TOKEN
from things import FAMILY, GIVEN, Things

STREETS = """Main Oak Park Church High Station Maple Cedar Elm Mill Victoria King Queen Lake Hill Washington Lincoln Market Bridge
Green Spring School North South Albert George Union River Chapel Meadow Sunset Pine Broad Castle Garden Forest Harbour Orchard
Central Liberty Highland Walnut Grove London York Windsor Manor Prospect Franklin Jackson Rose West East Mount Water""".split()
KINDS = "Street St Avenue Ave Road Rd Lane Ln Drive Dr Boulevard Blvd Court Ct Way Place Pl Terrace Close Crescent Square Highway".split()
STATES = "AL AK AZ AR CA CO CT DE FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY".split()
STATE_NAMES = "Texas California Florida Ohio Georgia Oregon Nevada Arizona Michigan Virginia Bavaria Ontario Quebec Queensland Victoria Kerala Punjab Gujarat Scotland Wales Catalonia Tuscany Brittany Saxony Hesse Bahia Jalisco Lagos Kent Yorkshire Cornwall Hokkaido".split()
PLACES = """New York|Los Angeles|San Francisco|Hong Kong|New Delhi|Silicon Valley|the Bay Area|Central Park|Heathrow|JFK|Europe|Asia|Africa|South America|
the Middle East|North America|Latin America|Scandinavia|the Alps|Lake Geneva|the Mediterranean|Mount Fuji|the Thames|Manhattan|Brooklyn|Shoreditch|Kreuzberg|
Montmartre|Downtown|Times Square|Wall Street|Baker Street|Oxford Street|Fifth Avenue|Venice Beach|Golden Gate Park|Gare du Nord|Kings Cross|Waterloo Station|
Changi Airport|O'Hare|Terminal 5|the Netherlands|the Philippines|the UAE|the UK|the US|UK|USA|U.S.|U.S.A.|EU|UAE|NYC|LA|SF|DC|Washington DC|NZ|PRC""".replace("\n", "").split("|")
SHOPS = """Google Microsoft Amazon Apple Siemens Toyota Nestlé Samsung Sony Deloitte KPMG Accenture IKEA Lufthansa Vodafone Shell BMW Netflix Spotify Oracle
SAP IBM Intel Nike Adidas Walmart Tesco Lidl Uber Airbnb DHL FedEx UPS PayPal Visa Zalando Bosch Philips Unilever Pfizer Bayer Barclays HSBC Citibank""".split()
ORG_ENDS = "Inc|Inc.|Ltd|Ltd.|LLC|GmbH|AG|S.A.|Corp|Group|Holdings|Bank|University|Hospital|College|Institute|Partners|Consulting|Technologies|Systems|Foundation|School|Clinic|Insurance|Logistics|Pharma|Media|Airlines|Police Department|City Council|FC|United".split("|")
TEAMS = "Lions Tigers Eagles Bulls Bears Sharks Rangers Giants Wolves Hawks Kings Rovers City Wanderers Athletic Warriors Raiders Cubs Reds Jets".split()
TITLES = "Mr Mrs Ms Miss Dr Prof Mr. Mrs. Ms. Dr. Prof. Sir Lady Captain Rev. Judge Senator Nurse Professor Doctor Officer Coach Uncle Aunt".split()
PRODUCTS = """iPhone 15|Galaxy S24|Windows 11|Excel|Outlook|Teams|Slack|Jira|Kindle|PlayStation 5|MacBook Pro|Salesforce|WhatsApp|Chrome|Firefox|Zoom|Photoshop|
Model 3|Alexa|Siri|ThinkPad X1|Office 365|Python|Java|PostgreSQL|Kubernetes|Docker|GitHub|Linux|Android|Premium Plan|Basic Plan|Gold Card""".replace("\n", "").split("|")
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
MONTHS = "January February March April May June July August September October November December".split()
ROLES = "manager|engineer|nurse|accountant|CEO|CTO|sales director|HR business partner|software developer|teacher|account manager|project lead|lawyer|intern|Head of Sales|Product Owner|Data Analyst|Customer Success Manager|Vice President|chef|driver|receptionist".split("|")
RELATIONS = "wife husband brother sister son daughter mother father mom dad boss colleague friend neighbour cousin partner doctor dentist landlord tenant manager assistant teammate roommate uncle aunt grandma nephew niece client".split()
HEADS = """Persona|Tone|Instructions|Citations|Deployment|Guidelines|Glossary|Memories|Language|Context|Rules|Summary|Introduction|Overview|Background|Conclusion|
Settings|Account|Privacy|Security|Billing|Pricing|Features|Requirements|Installation|Usage|Examples|Notes|Next Steps|Action Items|Key Points|Risks|Timeline|
Budget|Status|Priority|Description|Details|Results|Methods|Discussion|References|Appendix|Agenda|Minutes|Decisions|Open Questions|FAQ|Terms|Shipping|Returns|
Warranty|Contact|About Us|Careers|Support|Feedback|Answer|Question|Input|Output|Format|Role|Goal|Task|Constraints|Audience|Style|Voice|Examples|Steps|Tools|
Knowledge|Memory|Plan|Analysis|Recommendation|Executive Summary|Table of Contents|Release Notes|Known Issues|Changelog|License|Abstract|Objective|Scope""".replace("\n", "").split("|")
SAYS = "Aye.|Yes.|No.|Yep|Nope|Okay.|Ok|Sure!|Thanks!|Hmm.|Great.|Fine.|Perfect!|Hello|Hello!|Hi there!|Good morning|Good night|Bye|Goodbye!|Welcome!|Sorry.|Wow|Cool|Nice one|Done.|Correct.|Maybe|Never mind|Got it.|Understood.|Absolutely!|Agreed.|Cheers!|Congratulations!|Happy to help!|Please wait.|Loading...|Try again.|Not found|Unknown|None|True|False|Error|Success|Pending|Open|Closed|Ship it|Noted.".split("|")
SLOT = re.compile(r"\{(\w+)\}")


class Synth:
    def __init__(self, names, words, product=None, namesakes=0.25):
        """`words`: common ones, which can name a thing; `product`: the tag of programs and brands; `namesakes`: how often a thing in a
        clear context bears a person's name."""
        self.n = names
        self.things = Things(names, words, product, namesakes)

    def thing(self, rng):
        """A sentence about things, about things and people, or about people alone."""
        name = rng.choices(["things", "words", "mixed", "people", "places"], [36, 5, 28, 22, 9])[0]
        return self.sentence(rng, self.things.template(rng, name))

    def sentence(self, rng, template=None):
        """(tokens, tags, 'made')."""
        text, marks, at = "", [], 0
        template = template or rng.choice(TEMPLATES)
        for slot in SLOT.finditer(template):
            text += template[at : slot.start()]
            kind, put = self.fill(rng, slot[1])
            if kind:
                marks.append((kind, len(text), len(text) + len(put)))
            text += put
            at = slot.end()
        text += template[at:]
        tokens, tags = [], []
        for match in TOKEN.finditer(text):
            tokens.append("\n" if match[0][0] == "\n" else match[0])
            tag = "O"
            for kind, start, end in marks:
                if start <= match.start() < end:
                    tag = ("B-" if start == match.start() else "I-") + kind
            tags.append(tag)
        return tokens, tags, "made"

    def fill(self, rng, slot):
        thing = self.things.fill(rng, slot)
        if thing:
            return thing
        if slot == "wordname":
            return "PERSON", rng.choice(self.things.t["word-names"])
        if slot == "anyone":
            return "PERSON", self.anyone(rng)
        if slot == "initial":
            return "PERSON", f"{chr(65 + rng.randrange(26))}."
        if slot in ("per", "first", "last", "full", "formal"):
            return "PERSON", self.person(rng, slot)
        if slot in ("loc", "city", "country", "state", "addr", "street", "place"):
            return "LOCATION", self.place(rng, slot)
        if slot == "nrp":
            return "NRP", rng.choice(self.n["nrp"])
        if slot in ("org", "team"):
            return "ORG", self.org(rng, slot)
        return None, self.other(rng, slot)

    def anyone(self, rng):
        """Somebody, often one whose name a thing bears as well."""
        roll = rng.random()
        if roll < 0.35:
            return rng.choice(self.things.t["namesakes"] if roll < 0.12 else self.things.shared)
        return self.person(rng, "first" if roll < 0.6 else "full" if roll < 0.85 else "last")

    def given(self, rng):
        roll = rng.random()
        if roll < 0.13:
            return rng.choice(self.things.shared if roll < 0.07 else self.things.t["namesakes" if roll < 0.1 else "word-names"])
        return rng.choice(MORE_FIRST if roll < 0.35 else GIVEN if roll < 0.7 else self.n["first"])

    def family(self, rng):
        roll = rng.random()
        name = rng.choice(MORE_LAST if roll < 0.3 else FAMILY if roll < 0.6 else self.n["last"])
        roll = rng.random()
        if roll < 0.04:
            name += "-" + rng.choice(MORE_LAST)
        elif roll < 0.08:
            name = rng.choice(["de ", "van ", "van der ", "von ", "al-", "El ", "di ", "da ", "bin ", "ben ", "Mc", "O'", "Mac", "De La ", "St. "]) + name
        return name

    def person(self, rng, slot):
        if slot == "first":
            return self.given(rng)
        if slot == "last":
            return self.family(rng)
        roll = rng.random() if slot == "per" else 0.3 + rng.random() * 0.7
        first, last = self.given(rng), self.family(rng)
        if roll < 0.3:
            return first
        if roll < 0.78:
            return f"{first} {last}"
        if roll < 0.83:
            return f"{first} {chr(65 + rng.randrange(26))}. {last}"
        if roll < 0.87:
            return f"{chr(65 + rng.randrange(26))}. {last}"
        if roll < 0.9:
            return f"{chr(65 + rng.randrange(26))}.{chr(65 + rng.randrange(26))}. {last}"
        if roll < 0.94:
            return f"{first} {self.given(rng)} {last}"
        if roll < 0.96:
            return f"{first}-{self.given(rng)} {last}"
        if roll < 0.98:
            return f"{last} {first}"
        return f"{first} {last} {rng.choice(['Jr.', 'Sr.', 'III', 'II', 'Jr'])}"

    def city(self, rng):
        roll = rng.random()
        if roll < 0.15:
            return rng.choice(PLACES[:3] + PLACES[18:21] + self.n["cities"][:200])
        return rng.choice(self.n["cities"][:2500] if roll < 0.6 else self.n["cities"])

    def place(self, rng, slot):
        if slot == "loc":
            slot = rng.choices(["city", "country", "state", "place"], [55, 22, 10, 13])[0]
        if slot == "city":
            return self.city(rng)
        if slot == "country":
            return rng.choice(self.n["countries"][:250])
        if slot == "state":
            return rng.choice(STATE_NAMES)
        if slot == "place":
            return rng.choice(PLACES)
        if slot == "street":
            return f"{self.number(rng)} {self.road(rng)}"
        return self.address(rng)

    def number(self, rng):
        return str(rng.choice([rng.randint(1, 99), rng.randint(1, 999), rng.randint(1000, 19999)])) + rng.choice([""] * 12 + ["A", "B", "-3", "/2", "bis"])

    def stem(self, rng):
        return rng.choice([rng.choice(STREETS), self.family(rng), rng.choice(STREETS), rng.choice(self.n["cities"][:3000])])

    def road(self, rng):
        roll = rng.random()
        if roll < 0.08:
            return f"{rng.randint(1, 190)}{rng.choice(['st', 'nd', 'rd', 'th'])} {rng.choice(KINDS)}"
        lead = rng.choice([""] * 9 + ["N ", "West ", "S. ", "Old ", "Upper "])
        return f"{lead}{self.stem(rng)} {rng.choice(KINDS)}"

    def address(self, rng):
        """One address in the manner of one of twenty-two countries; commas or line breaks between its parts."""
        d = lambda n: "".join(rng.choice("0123456789") for _ in range(n))
        L = lambda n: "".join(rng.choice("ABCDEFGHJKLMNPRSTUVWXY") for _ in range(n))
        n, stem, city = self.number(rng), self.stem(rng), self.city(rng)
        unit = rng.choice(["", "", "", f"Apt {rng.randint(1, 40)}", f"Apt. {rng.randint(1, 40)}{L(1)}", f"Suite {d(3)}", f"Flat {rng.randint(1, 30)}", f"Unit {d(2)}", f"#{d(2)}", f"Floor {rng.randint(1, 30)}"])
        uk = f"{L(rng.randint(1, 2))}{rng.randint(1, 29)} {d(1)}{L(2)}"
        way = rng.randrange(24)
        if way <= 3:
            zip_code = d(5) + rng.choice(["", "", "", "-" + d(4)])
            parts = [f"{n} {self.road(rng)}", unit, f"{city}, {rng.choice(STATES + STATE_NAMES[:10])} {zip_code}"]
        elif way <= 5:
            parts = [unit, f"{n} {self.road(rng)}", city, uk] if rng.random() < 0.7 else [f"{n} {self.road(rng)}", f"{city} {uk}"]
        else:
            parts = {
                6: [f"{stem}{rng.choice(['straße', 'strasse', 'str.', 'weg', 'platz', ' Straße', 'allee', 'gasse'])} {n}", f"{d(5)} {city}"],
                7: [f"{n} {rng.choice(['rue', 'avenue', 'boulevard', 'place', 'Rue'])} {rng.choice(['', 'de ', 'de la ', 'du '])}{stem}", f"{d(5)} {city}"],
                8: [f"{rng.choice(['Calle', 'C/', 'Avenida', 'Av.', 'Plaza', 'Paseo de'])} {rng.choice(['', 'de ', 'del '])}{stem} {n}", rng.choice(["", "2º B", "piso 3"]), f"{d(5)} {city}"],
                9: [f"{rng.choice(['Via', 'Viale', 'Piazza', 'Corso'])} {stem} {n}", f"{d(5)} {city}{rng.choice(['', ' (MI)', ' RM'])}"],
                10: [f"{stem}{rng.choice(['straat', 'laan', 'weg', 'gracht', 'plein'])} {n}", f"{d(4)} {L(2)} {city}"],
                11: [f"{rng.choice(['ul.', 'al.', 'os.', 'Ul.'])} {stem} {n}{rng.choice(['', '/' + d(2)])}", f"{d(2)}-{d(3)} {city}"],
                12: [f"{rng.choice(['Rua', 'Avenida', 'Av.', 'Travessa', 'Praça'])} {rng.choice(['', 'da ', 'dos '])}{stem}, {n}", f"{city} - {rng.choice(['SP', 'RJ', 'MG', 'BA'])}", f"{d(5)}-{d(3)}"],
                13: [rng.choice([f"Flat {d(2)}", f"No. {n}", f"H.No. {d(2)}", f"Plot {d(3)}", f"{L(1)}-{d(3)}"]), f"{stem} {rng.choice(['Nagar', 'Colony', 'Apartments', 'Marg', 'Road', 'Enclave', 'Layout', 'Sector ' + d(2)])}", f"{city}{rng.choice([' ', ' - ', ', Maharashtra ', ', Karnataka '])}{d(6)}"],
                14: [f"{rng.randint(1, 9)}-{rng.randint(1, 30)}-{rng.randint(1, 20)} {stem}", f"{self.city(rng)}{rng.choice(['-ku', '-shi', ''])}", f"{city} {d(3)}-{d(4)}"],
                15: [rng.choice(["", f"Unit {d(1)}", f"Level {d(1)}"]), f"{n} {self.road(rng)}", f"{city} {rng.choice(['NSW', 'VIC', 'QLD', 'WA', 'SA', 'TAS'])} {d(4)}"],
                16: [f"{n} {self.road(rng)}", unit, f"{city}, {rng.choice(['ON', 'BC', 'QC', 'AB', 'MB', 'NS'])} {L(1)}{d(1)}{L(1)} {d(1)}{L(1)}{d(1)}"],
                17: [f"No. {n} {stem} Road", f"{self.city(rng)} District", f"{city} {d(6)}"],
                18: [f"{stem}{rng.choice(['gatan', 'vägen', 'veien', 'gata', 'gade', 'vej', 'katu', 'tie'])} {n}", f"{d(3)}{rng.choice([' ', ''])}{d(2)} {city}"],
                19: [f"{n} {self.road(rng)}", f"{rng.choice(['Dublin ' + str(rng.randint(1, 24)), city, 'Co. ' + city])}", f"{L(1)}{d(2)} {L(2)}{d(2)}"],
                20: [f"P.O. Box {d(rng.randint(3, 6))}", city] if rng.random() < 0.5 else [f"PO Box {d(4)}", f"{city} {d(4)}"],
                21: [f"{stem} {rng.choice(['Mah.', 'Mahallesi', 'Cad.', 'Sokak', 'Sk.'])} No: {rng.randint(1, 90)}", f"{d(5)} {city}"],
                22: [f"{n} {self.road(rng)}", rng.choice(["Ikeja", "Lekki", "Sandton", "Westlands", city]), rng.choice(["Lagos", "Johannesburg 2196", "Nairobi", "Accra", "Cape Town 8001", city])],
                23: [f"Blk {d(3)} {self.road(rng)} #{d(2)}-{d(2)}", f"Singapore {d(6)}"] if rng.random() < 0.5 else [f"{n} {stem}-{rng.choice(['ro', 'gil', 'daero'])}", f"{self.city(rng)}{rng.choice(['-gu', ''])}", city],
            }[way]
        if rng.random() < 0.25:
            parts.append(rng.choice([rng.choice(self.n["countries"][:250]), "USA", "UK", "Germany", "France", "India", "Canada"]))
        if rng.random() < 0.12:
            parts = parts[:2]
        return rng.choice([", ", ", ", ", ", "\n", " "]).join(part for part in parts if part)

    def org(self, rng, slot):
        if slot == "team":
            city = self.city(rng)
            return city if rng.random() < 0.5 else f"{city} {rng.choice(TEAMS)}"
        roll = rng.random()
        if roll < 0.35:
            return rng.choice(SHOPS)
        name = rng.choice([self.family(rng), self.city(rng), self.family(rng), rng.choice(STREETS)])
        if roll < 0.5:
            return f"{name}{rng.choice([' & ', ' and ', ', '])}{self.family(rng)}{rng.choice(['', ' LLP', ' Ltd'])}"
        if roll < 0.6:
            return f"{rng.choice(['University of', 'Bank of', 'Ministry of', 'Institute of'])} {rng.choice([self.city(rng), 'Finance', 'Health', 'Technology'])}"
        return f"{name} {rng.choice(ORG_ENDS)}"

    def other(self, rng, slot):
        d = lambda n: "".join(rng.choice("0123456789") for _ in range(n))
        if slot == "date":
            day, month, year = rng.randint(1, 28), rng.randrange(12), rng.randint(1950, 2027)
            return rng.choice([f"{MONTHS[month]} {day}, {year}", f"{day} {MONTHS[month]} {year}", f"{day:02}/{month + 1:02}/{year}", f"{year}-{month + 1:02}-{day:02}", f"{DAYS[day % 7]}, {MONTHS[month]} {day}", f"{MONTHS[month][:3]} {day}"])
        if slot == "time":
            return rng.choice([f"{rng.randint(0, 23)}:{d(1)}5", f"{rng.randint(1, 12)}pm", f"{rng.randint(1, 12)}:30 am"])
        if slot == "phone":
            return rng.choice([f"+{rng.randint(1, 99)} {d(3)} {d(3)} {d(4)}", f"({d(3)}) {d(3)}-{d(4)}", f"0{d(4)} {d(6)}", f"{d(3)}-{d(3)}-{d(4)}"])
        if slot == "email":
            name = self.given(rng).lower()
            return f"{name}{rng.choice(['.', '_', ''])}{rng.choice([self.family(rng).lower().replace(' ', ''), d(2), ''])}@{rng.choice(['gmail.com', 'yahoo.com', 'example.org', 'outlook.com', 'corp.net'])}"
        if slot == "user":
            return f"@{self.given(rng).lower()}{rng.choice(['', '_', 'x'])}{d(rng.randint(0, 3))}"
        if slot == "url":
            return rng.choice(["https://", "www.", "http://"]) + self.family(rng).lower().replace(" ", "") + rng.choice([".com", ".io/login", ".org/page"])
        if slot == "money":
            return rng.choice([f"${d(3)}.00", f"€{d(4)}", f"£{d(2)}.50", f"{d(5)} USD"])
        if slot == "id":
            return rng.choice([f"#{d(6)}", f"INV-{d(5)}", f"{d(9)}", f"TKT{d(4)}", f"A{d(8)}", f"{d(4)}-{d(4)}-{d(4)}-{d(4)}"])
        if slot == "num":
            return str(rng.randint(1, 90))
        pick = {"prod": PRODUCTS, "day": DAYS, "month": MONTHS, "role": ROLES, "rel": RELATIONS, "title": TITLES, "head": HEADS, "say": SAYS}
        return rng.choice(pick[slot])
