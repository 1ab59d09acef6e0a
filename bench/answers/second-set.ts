import { type AnswerSet, pdfDocument, sheetDocument, textDocument } from './answer-set.ts';

const documents = [
  textDocument(
    'library-rules.md',
    `# Using the library

Books are lent for four weeks. Films and games are lent for one week only. A loan can be extended twice, unless another reader has reserved the item.

## Fees
| Reader | Card per year | Overdue fee per day |
| --- | --- | --- |
| Adults | 24 EUR | 0.50 EUR |
| Students | 12 EUR | 0.25 EUR |
| Children | free | none |

## Lost card
Have the card blocked at once by telephone. A new one costs 5 EUR and is issued at the information desk.`,
  ),
  textDocument(
    'swimming-pool.html',
    `<html><head><title>Municipal swimming pool</title></head><body><h1>Municipal swimming pool</h1>
<h2>Opening hours</h2><table><tr><th>Day</th><th>Opens</th><th>Closes</th></tr><tr><td>Monday</td><td>closed</td><td>closed</td></tr><tr><td>Tuesday to Friday</td><td>6:30</td><td>21:00</td></tr><tr><td>Weekend</td><td>8:00</td><td>19:00</td></tr></table>
<h2>Water</h2><p>The large pool is kept at 27 degrees. The children's pool has 32 degrees. In summer the outdoor pool is not heated.</p>
<h2>Lockers</h2><p>Lockers need a coin of 2 euros. Lost keys cost 30 euros.</p></body></html>`,
  ),
  textDocument(
    'bike-rental.txt',
    `Bike rental - conditions

Renting a bike takes an identity card and a deposit of 50 euros.
City bikes cost 12 euros a day, electric bikes 29 euros a day. Children's seats are free.
In case of a flat tyre call 0800 555 010. We bring another bike within the hour inside the city limits.
Theft has to be reported to the police first. Bring us the report and both keys, otherwise the deposit is lost.`,
  ),
  pdfDocument('allergy-plan.pdf', 'Allergy plan', [
    [
      'Allergy plan of the kindergarten',
      '',
      'Nuts are not allowed in lunch boxes.',
      'The emergency kit is kept in the office of the head teacher, on the top shelf.',
      '',
      'If a child has a reaction',
      '1. Call 112 and say that it is an allergic reaction.',
      '2. Give the injection into the thigh.',
      '3. Lay the child down and raise the legs.',
      '4. Call the parents.',
    ],
  ]),
  textDocument(
    'apartment-rules.md',
    `# House rules

Quiet hours are from 22:00 to 6:00 and from 13:00 to 15:00. Drilling is not allowed on Sundays.

The laundry room on the second basement floor is booked on the list at the door. Each flat may use it twice a week. Clean the lint filter after every use.

## Waste
- Paper: blue bin, emptied every second Tuesday
- Glass: container in the Lindenstrasse
- Bulky items: pick-up has to be ordered from the city

## Contacts
The caretaker is Bogdan Nowak. He is in the building on weekdays from 7:00 to 11:00.`,
  ),
  textDocument(
    'heat-pump.txt',
    `Heat pump AERO 9 - installation

The distance to the wall must be at least 30 cm. The fan may not point at a neighbour's window.

Maintenance
Have the heat pump serviced once a year by a specialist. The filter is cleaned every three months by the user.

Fault messages
F4: pressure too low, refill water up to 1.5 bar
F7: sensor of the outside temperature is broken
F11: power supply interrupted

Noise level: 49 dB
Refrigerant: R290
Lifetime: about 20 years`,
  ),
  textDocument(
    'flights.csv',
    `flight,from,to,departure,gate,status
LX318,Zurich,Oslo,07:15,A12,on time
LX902,Zurich,Rome,08:40,B3,delayed by 50 minutes
KM117,Malta,Zurich,09:05,C1,landed
AF554,Paris,Zurich,10:20,A4,cancelled
`,
  ),
  sheetDocument('inventory.xlsx', [
    ['Article', 'Shelf', 'Stock', 'Reorder at'],
    ['Plasters', 'S1', '340', '100'],
    ['Gloves size M', 'S2', '18', '50'],
    ['Thermometers', 'S4', '7', '5'],
    ['Hand sanitiser', 'S1', '64', '30'],
  ]),
  textDocument(
    'verein-satzung.md',
    `# Satzung des Turnvereins

## Mitgliedschaft
Der Beitrag für Erwachsene beträgt 96 Euro im Jahr, für Jugendliche 48 Euro. Er wird im Februar eingezogen.

Der Austritt ist nur zum Jahresende möglich. Er muss bis zum 30. September schriftlich erklärt werden.

## Vorstand
Der Vorstand wird für drei Jahre gewählt. Vorsitzende ist Katrin Osterloh, Kassenwart ist Emre Yildiz.`,
  ),
  textDocument(
    'rezept-brot.txt',
    `Roggenbrot

Zutaten:
- 500 g Roggenmehl
- 350 ml Wasser
- 10 g Salz
- 150 g Sauerteig

Der Teig ruht zwölf Stunden bei Zimmertemperatur. Danach wird er bei 230 Grad 50 Minuten gebacken.`,
  ),
  textDocument(
    'camping-fr.md',
    `# Camping des Pins

Les emplacements sont disponibles à partir de 14 heures et doivent être libérés avant 11 heures. Les chiens sont acceptés en laisse, sauf à la piscine.

## Tarifs
Un emplacement avec électricité coûte 31 euros par nuit en haute saison. La taxe de séjour est de 0,80 euro par personne.

## Accueil
La réception est ouverte de 8 h 30 à 20 h. Le responsable du camping est Julien Marchal.`,
  ),
  textDocument(
    'biblioteca-es.html',
    `<html><body><h1>Sala de ordenadores</h1><p>Los ordenadores se reservan en el mostrador por un máximo de dos horas. Imprimir cuesta 10 céntimos por página.</p><p>La contraseña de la red inalámbrica está impresa en el carné de lector.</p></body></html>`,
  ),
  textDocument(
    'choir-minutes.txt',
    `Choir meeting, 3 May

The summer concert takes place on 21 June in the church of St. Anna. Rehearsals start one hour earlier in the two weeks before it.
Helga Brand resigned as treasurer. Her successor is Piotr Zielinski.
Membership has grown to 64 singers.`,
  ),
  textDocument(
    'pet-insurance.md',
    `# Pet insurance

**What is covered?**
Operations, medicines and one check-up a year are covered. Teeth cleaning is not.

**How do I send in a bill?**
Photograph the bill in the app and choose the animal. The money arrives within a week.

**Is there an age limit?**
Dogs are insured up to the age of eight, cats up to ten.`,
  ),
  textDocument(
    'courses.csv',
    `course;teacher;weekday;price
Pottery;Anna Weiss;Monday;140 EUR
Drawing;Karim Benali;Wednesday;95 EUR
Photography;Sofia Rossi;Thursday;120 EUR
`,
  ),
];

export const secondSet: AnswerSet = {
  name: 'second set',
  agent: 'Town Guide',
  documents,
  tables: [
    {
      name: 'Donations',
      columns: [
        { name: 'donor', type: 'text' },
        { name: 'purpose', type: 'text' },
        { name: 'euros', type: 'integer' },
        { name: 'received', type: 'date' },
      ],
      rows: [
        { donor: 'Bakery Stein', purpose: 'Playground', euros: 300, received: '2025-11-02' },
        { donor: 'Rotary Club', purpose: 'Library', euros: 1500, received: '2025-12-14' },
        { donor: 'Bakery Stein', purpose: 'Library', euros: 200, received: '2026-01-08' },
        { donor: 'Ms Okafor', purpose: 'Playground', euros: 50, received: '2026-02-19' },
        { donor: 'Anonymous', purpose: 'Choir', euros: 120, received: '2026-02-20' },
      ],
    },
  ],
  questions: [
    { ask: 'How long can I keep a film from the library?', expect: ['one week'] },
    { ask: 'What does the library card cost for students?', expect: ['12 EUR'] },
    { ask: 'I lost my library card, what now?', expect: ['blocked at once'] },
    { ask: 'Is the swimming pool open on Monday?', expect: ['Monday', 'closed'] },
    { ask: 'water temperature of the large pool', expect: ['27 degrees'] },
    { ask: 'How much is an electric bike per day?', expect: ['29 euros'] },
    {
      ask: 'My rented bike was stolen yesterday evening in front of the station. What do I have to do?',
      expect: ['police'],
    },
    { ask: 'What should be done when a child has an allergic reaction?', expect: ['Call 112', 'Call the parents'] },
    { ask: 'Where is the emergency kit?', expect: ['top shelf'] },
    { ask: 'When are the quiet hours?', expect: ['22:00 to 6:00'] },
    { ask: 'Which bin does paper go into?', expect: ['blue bin'] },
    { ask: 'Who is the caretaker and when is he there?', expect: ['Bogdan Nowak', '7:00 to 11:00'] },
    { ask: 'What does fault F7 of the heat pump mean?', expect: ['sensor of the outside temperature'] },
    { ask: 'How loud is the AERO 9?', expect: ['49 dB'] },
    { ask: 'From which gate does LX902 leave?', expect: ['B3'] },
    { ask: 'How many gloves are in stock?', expect: ['18'] },
    { ask: 'Wie hoch ist der Beitrag für Jugendliche?', expect: ['48 Euro'] },
    { ask: 'Bis wann muss ich kündigen, wenn ich aus dem Verein austreten will?', expect: ['30. September'] },
    { ask: 'Welche Zutaten brauche ich für das Roggenbrot?', expect: ['500 g Roggenmehl', '150 g Sauerteig'] },
    {
      ask: 'Und wie lange wird es gebacken?',
      after: ['Welche Zutaten brauche ich für das Roggenbrot?'],
      expect: ['50 Minuten'],
    },
    { ask: 'Les chiens sont-ils acceptés au camping ?', expect: ['en laisse'] },
    {
      ask: 'Et à quelle heure ouvre la réception ?',
      after: ['Combien coûte un emplacement avec électricité ?'],
      expect: ['8 h 30'],
    },
    { ask: '¿Cuánto cuesta imprimir una página?', expect: ['10 céntimos'] },
    { ask: 'And for cats?', after: ['Up to what age are dogs insured?'], expect: ['cats up to ten'] },
    { ask: 'What is the total of the donations for the library?', expect: ['1700'] },
    { ask: 'Hello, what can you do for me?', expect: ['Town Guide', 'Donations'] },
    { ask: 'How high is the Eiffel Tower?' },
    { ask: 'What does the pottery teacher earn?' },
    { ask: 'From which gate does LX777 leave?' },
    { ask: 'Wer war der erste Bundeskanzler?' },
  ],
};
