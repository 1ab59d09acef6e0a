import { type AnswerSet, pdfDocument, sheetDocument, textDocument } from './answer-set.ts';

const documents = [
  textDocument(
    'returns.md',
    `# Returns

## Deadlines
You can return accessories and spare parts within 30 days of delivery. Machines are an exception. They have to be back at our warehouse within 14 days, unused and in their original box.

## How to send something back
1. Open the order in your account and choose "Return".
2. Print the label that we send you by e-mail.
3. Put the item into its box and stick the label over the old one.
4. Hand the parcel to any depot of Nordpost.

Refunds are paid to the account that the order was paid from. This takes up to five working days after the parcel has arrived.`,
  ),
  textDocument(
    'leave-policy.md',
    `# Leave

Every employee has 28 days of paid leave a year. Part-time staff have a share of that in proportion to their hours. Unused days can be carried over until the end of March; after that they expire.

## Sick leave
Tell your team lead before 9 o'clock on the first day. From the fourth day on a doctor's certificate is needed.

## Parental leave
Both parents may take up to 14 months between them. The request must be made seven weeks before it begins.`,
  ),
  textDocument(
    'espresso-x200-manual.txt',
    `ESPRESSO X200 - USER MANUAL

Before first use
Rinse the water tank and fill it with fresh water. Run two cups of water through the machine without coffee.

Descaling
The lamp with the drop lights up when the machine needs descaling. Use only citric acid. Vinegar damages the seals.
To descale the machine:
1. Empty the tank and pour in 40 g of citric acid and one litre of water.
2. Press the steam button for five seconds.
3. Wait until the lamp goes out.
4. Rinse the tank and run a litre of clean water through the machine.

Technical data
Pressure: 15 bar
Tank: 1.8 litres
Weight: 7.4 kg
Mains: 230 V, 1450 W

Warranty
The warranty lasts two years from the day of purchase. It does not cover seals and filters.`,
  ),
  textDocument(
    'grinder-g5-manual.txt',
    `GRINDER G5 - USER MANUAL

The grinder has 40 levels, from coarse to fine. Turn the ring to the left for a finer powder, but only while the motor is running.

Cleaning
Brush the burrs once a week. Never wash them with water, because they rust.

Warranty
The warranty lasts three years. Keep the receipt: it is the only proof of purchase that we accept.`,
  ),
  textDocument(
    'it-helpdesk.html',
    `<html><head><title>IT help desk</title></head><body><h1>IT help desk</h1>
<p>The help desk is open from 7:30 to 18:00 on working days. In an emergency call extension 4455 at any time.</p>
<h2>Forgotten password</h2><p>Passwords are reset at the portal with your second factor. Without a second factor you have to come to room B12 and bring your badge.</p>
<h2>New laptop</h2><p>Laptops are replaced every four years. Request one in the portal; your manager has to approve it.</p>
<h2>Printers</h2><table><tr><th>Printer</th><th>Floor</th><th>Colour</th></tr><tr><td>Pine</td><td>1</td><td>no</td></tr><tr><td>Birch</td><td>2</td><td>yes</td></tr><tr><td>Maple</td><td>4</td><td>yes</td></tr></table>
</body></html>`,
  ),
  textDocument(
    'vpn-guide.md',
    `# VPN

The VPN client is called Tunnelfox. It is installed on every laptop by default.

## Connect from home
1. Start Tunnelfox and choose the gateway "Malmo".
2. Enter your user name and the code from the app.
3. Wait for the green light.

If the light stays yellow, your certificate has expired. Request another one from the help desk; it comes within an hour.`,
  ),
  pdfDocument('travel-policy.pdf', 'Travel policy', [
    [
      'Travel policy',
      '',
      'Trains are booked in second class. First class is allowed for journeys of more than four hours.',
      'Flights inside the country are not paid for. Other flights need the approval of the head of department.',
      '',
      'Hotels cost at most 140 euros a night, and 180 euros in capitals.',
    ],
    [
      'Meals',
      '',
      'The daily allowance is 32 euros. It is halved on the days of departure and return.',
      'Receipts have to be handed in within 30 days of the journey.',
    ],
  ]),
  pdfDocument('fire-safety.pdf', 'Fire safety', [
    [
      'Fire safety',
      '',
      'The assembly point is the car park behind building C.',
      'Do not use the lifts. Close doors, but do not lock them.',
      '',
      'Fire extinguishers are checked every two years by Brandt Ltd.',
      'The fire wardens are Olga Petrov (ground floor) and Sam Idowu (first floor).',
    ],
  ]),
  textDocument(
    'orders.csv',
    `order,customer,item,quantity,status,shipped
1040,Almgren AB,Espresso X200,1,delivered,2026-02-03
1041,Bakery Lund,Grinder G5,2,delivered,2026-02-05
1042,Cafe Solveig,Espresso X200,3,waiting for parts,
1043,Hotel Arken,Water filter,40,shipped,2026-02-11
1044,Almgren AB,Grinder G5,1,cancelled,
1045,Kiosk Nio,Milk jug,12,shipped,2026-02-12
`,
  ),
  textDocument(
    'suppliers.csv',
    `supplier;city;contact;lead time
Brunn Metall;Graz;Eva Maurer;12 days
Nordic Seals;Bergen;Lars Holm;5 days
Carta Verde;Porto;Ines Prado;21 days
`,
  ),
  sheetDocument('price-list.xlsx', [
    ['Article', 'Name', 'Price', 'Unit'],
    ['A-100', 'Water filter', '12.90 EUR', 'piece'],
    ['A-205', 'Milk jug', '18.50 EUR', 'piece'],
    ['B-310', 'Seal set', '7.20 EUR', 'set'],
    ['C-777', 'Citric acid', '4.10 EUR', '500 g'],
  ]),
  textDocument(
    'arbeitszeit.md',
    `# Arbeitszeit

Die wöchentliche Arbeitszeit beträgt 38,5 Stunden. Die Kernzeit ist von 10 bis 15 Uhr, freitags nur bis 13 Uhr.

## Homeoffice
Mitarbeitende dürfen bis zu drei Tage pro Woche von zu Hause arbeiten. Der Montag ist davon ausgenommen, weil dann die Teamrunden stattfinden.

## Überstunden
Überstunden werden innerhalb von sechs Monaten durch Freizeit ausgeglichen. Eine Auszahlung gibt es nur mit Zustimmung der Geschäftsleitung.`,
  ),
  textDocument(
    'mietvertrag.txt',
    `Mietvertrag Lagerhalle Süd

Die Miete beträgt monatlich 4.200 Euro und ist am dritten Werktag fällig.
Die Kündigungsfrist beträgt neun Monate zum Ende eines Quartals.
Der Vermieter ist die Hafenbau Immobilien GmbH in Kiel.
Reparaturen bis 300 Euro trägt der Mieter.`,
  ),
  textDocument(
    'garantie-fr.md',
    `# Garantie et service après-vente

La garantie dure deux ans à partir de la date d'achat. Elle ne couvre pas les joints ni les filtres.

## Réparation
Envoyez la machine avec une copie de la facture à notre atelier de Lyon. La réparation prend en général dix jours ouvrables.

## Pièces détachées
Les pièces détachées restent disponibles pendant huit ans.`,
  ),
  textDocument(
    'horario-es.txt',
    `Tienda de Valencia

La tienda abre de lunes a viernes de 9:30 a 20:00 y los sábados de 10:00 a 14:00. Los domingos está cerrada.
El aparcamiento es gratuito durante dos horas.
La encargada de la tienda es Lucía Ferrer.`,
  ),
  textDocument(
    'onboarding.md',
    `# First week

- Monday: pick up your badge and your laptop at the reception.
- Tuesday: safety training with Olga Petrov.
- Wednesday: lunch with your buddy.
- Friday: first talk with your team lead.

## What to bring
- a passport or an identity card
- your tax number
- your bank details`,
  ),
  textDocument(
    'security-incidents.md',
    `# Security incidents

Report a lost laptop or phone within one hour to security@norrland.example. The device is then locked from afar.

Phishing mails are forwarded with the button "Report" and not deleted. Never answer them.

The security officer is Mika Laine. Her deputy is Tom Ferris.`,
  ),
  textDocument(
    'kitchen-rules.txt',
    `Kitchen rules

The dishwasher is started at 16:00 by whoever is on duty. The duty list hangs on the fridge.
Food without a name is thrown away on Fridays.
Fish must not be heated in the microwave.`,
  ),
  textDocument(
    'company.html',
    `<html><body><h1>About Norrland Coffee</h1><p>Norrland Coffee was founded in 1987 by the sisters Greta and Maja Lind. The company makes coffee machines and grinders in Malmo and has 210 employees.</p>
<p>Its subsidiary Norrland Service repairs machines of all brands.</p><h2>Board</h2><ul><li>Greta Lind, chair</li><li>Arvid Berg, finance</li><li>Noor Haddad, technology</li></ul></body></html>`,
  ),
  textDocument(
    'faq.md',
    `# Questions and answers

**Can I pay by invoice?**
Business customers can pay by invoice with a term of 21 days. All others pay by card.

**Do you deliver to Switzerland?**
Yes, delivery to Switzerland takes six days. Customs duties are paid by the customer.

**Which coffee beans do you recommend?**
Beans that were roasted two to six weeks ago.`,
  ),
  textDocument(
    'shipping.md',
    `# Shipping

| Country | Days | Cost |
| --- | --- | --- |
| Sweden | 2 | free |
| Germany | 3 | 9 EUR |
| France | 4 | 12 EUR |
| Spain | 5 | 14 EUR |

Orders above 200 EUR are shipped free of charge to every country.`,
  ),
  textDocument(
    'meeting-2026-01-15.txt',
    `Minutes of the meeting on 15 January 2026

Present: Greta Lind, Arvid Berg, Noor Haddad.
The budget for the new roastery was set to 1.2 million euros. Arvid Berg presents the offers of the builders in March.
It was decided to stop selling the model X100. Spare parts stay available until 2031.`,
  ),
  textDocument(
    'cars.md',
    `# Company cars

Company cars are booked in the calendar "Fleet". Return the car with at least half a tank. Damage has to be reported on the same day to the fleet manager, Jonas Falk.

Private journeys are not allowed. The fine for a traffic offence is paid by the driver.`,
  ),
  textDocument(
    'release-notes.md',
    `# Release notes of the app

## 3.2
- Orders can be filtered by status.
- The start page loads faster.

## 3.1
- Dark mode was added.
- Exports are in CSV now instead of XLS.`,
  ),
  textDocument(
    'water-quality.txt',
    `Water for coffee

Hard water leaves lime in the boiler. We recommend water with 4 to 8 degrees of hardness. A filter cartridge lasts for about 150 litres or two months, whichever comes first.`,
  ),
  textDocument(
    'training.csv',
    `course,date,room,teacher,seats
Barista basics,2026-03-04,A1,Ines Prado,12
Latte art,2026-03-11,A2,Tom Ferris,8
Machine repair,2026-04-02,Workshop,Jonas Falk,6
`,
  ),
  textDocument(
    'datenschutz.html',
    `<html><body><h1>Datenschutz</h1><p>Bewerbungsunterlagen werden sechs Monate nach Ende des Verfahrens gelöscht. Die Datenschutzbeauftragte ist Dr. Hanna Vogt.</p><p>Videoaufnahmen am Eingang werden nach 72 Stunden überschrieben.</p></body></html>`,
  ),
  textDocument(
    'canteen.txt',
    `Canteen

Lunch is served from 11:45 to 13:30. A meal costs 6.80 euros for employees and 9.50 euros for guests.
On Thursdays there is always pea soup and pancakes.`,
  ),
  textDocument(
    'expenses.md',
    `# Expenses

Send receipts with the form "Expenses" to the accounting team. They are paid with the next salary, if they arrive before the 15th of the month. Otherwise they are paid a month later.

Tips up to ten percent are refunded.`,
  ),
  textDocument(
    'machine-codes.md',
    `# Error codes

| Code | Meaning | What to do |
| --- | --- | --- |
| E01 | Tank is empty | Fill the tank |
| E07 | Boiler too hot | Switch the machine off for 20 minutes |
| E12 | Pump blocked | Call the service |`,
  ),
];

export const firstSet: AnswerSet = {
  name: 'first set',
  agent: 'Nora',
  documents,
  tables: [
    {
      name: 'Sales',
      columns: [
        { name: 'customer', type: 'text' },
        { name: 'country', type: 'text' },
        { name: 'product', type: 'text' },
        { name: 'amount', type: 'number' },
        { name: 'sold_on', type: 'date' },
      ],
      rows: [
        { customer: 'Almgren AB', country: 'Sweden', product: 'Espresso X200', amount: 1290, sold_on: '2026-01-12' },
        { customer: 'Bakery Lund', country: 'Sweden', product: 'Grinder G5', amount: 480, sold_on: '2026-01-20' },
        { customer: 'Cafe Central', country: 'Germany', product: 'Espresso X200', amount: 1310, sold_on: '2026-02-02' },
        { customer: 'Hotel Arken', country: 'Germany', product: 'Water filter', amount: 516, sold_on: '2026-02-14' },
        { customer: 'Bistro Lune', country: 'France', product: 'Grinder G5', amount: 455, sold_on: '2026-03-01' },
        { customer: 'Hotel Arken', country: 'Germany', product: 'Grinder G5', amount: 470, sold_on: '2026-03-05' },
      ],
    },
  ],
  questions: [
    { ask: 'How long do I have to return a machine?', expect: ['14 days'] },
    { ask: 'What are the steps to send an item back?', expect: ['Print the label', 'depot of Nordpost'] },
    { ask: 'When do I get my refund?', expect: ['five working days'] },
    { ask: 'How many days of paid leave does an employee have?', expect: ['28 days of paid leave'] },
    { ask: 'Until when can unused leave days be carried over?', expect: ['end of March'] },
    { ask: 'When do I need a certificate from a doctor?', expect: ['fourth day'] },
    { ask: 'How do I descale the espresso machine?', expect: ['40 g of citric acid', 'clean water'] },
    { ask: 'How heavy is the X200?', expect: ['7.4 kg'] },
    { ask: 'warranty grinder', expect: ['three years'] },
    { ask: 'Does the warranty of the X200 cover the seals?', expect: ['does not cover seals'] },
    { ask: 'Can I wash the burrs of the grinder with water?', expect: ['rust'] },
    { ask: 'When is the help desk open?', expect: ['7:30 to 18:00'] },
    {
      ask: 'I forgot my password and I have no second factor with me, since my phone is at home. What should I do now?',
      expect: ['room B12'],
    },
    { ask: 'Which floor is the printer Birch on?', expect: ['Floor: 2'] },
    { ask: 'How do I connect to the VPN from home?', expect: ['Malmo', 'green light'] },
    { ask: 'Why is the light of Tunnelfox yellow?', expect: ['certificate has expired'] },
    { ask: 'How much may a hotel cost in a capital?', expect: ['180 euros'] },
    { ask: 'daily allowance for meals', expect: ['32 euros'] },
    { ask: 'Where is the assembly point?', expect: ['car park behind building C'] },
    { ask: 'What is the status of order 1042?', expect: ['waiting for parts', 'Cafe Solveig'] },
    { ask: 'Who ordered 40 water filters?', expect: ['Hotel Arken'] },
    { ask: 'What is the lead time of Carta Verde?', expect: ['21 days'] },
    { ask: 'What does a milk jug cost?', expect: ['18.50 EUR'] },
    { ask: 'Wie viele Tage pro Woche darf ich im Homeoffice arbeiten?', expect: ['drei Tage pro Woche'] },
    { ask: 'Wie lang ist die Kündigungsfrist der Lagerhalle?', expect: ['neun Monate'] },
    { ask: 'Wer ist der Vermieter der Halle?', expect: ['Hafenbau Immobilien GmbH'] },
    { ask: 'Combien de temps dure la garantie ?', expect: ['deux ans'] },
    { ask: 'Combien de temps prend une réparation ?', expect: ['dix jours ouvrables'] },
    { ask: '¿A qué hora abre la tienda los sábados?', expect: ['10:00 a 14:00'] },
    { ask: '¿Quién es la encargada de la tienda?', expect: ['Lucía Ferrer'] },
    { ask: 'What do I have to bring on my first day?', expect: ['passport', 'tax number', 'bank details'] },
    { ask: 'Who founded the company?', expect: ['Greta and Maja Lind'] },
    { ask: 'Do you ship to Switzerland?', expect: ['six days'] },
    { ask: 'What does error E07 mean?', expect: ['Boiler too hot', '20 minutes'] },
    { ask: 'And for spare parts?', after: ['How long do I have to return a machine?'], expect: ['30 days'] },
    { ask: 'And who is the deputy?', after: ['Who is the security officer?'], expect: ['Tom Ferris'] },
    { ask: 'Und am Freitag?', after: ['Wann ist die Kernzeit?'], expect: ['freitags nur bis 13 Uhr'] },
    { ask: 'How many sales are there in Germany?', expect: ['3'] },
    { ask: 'What is the total amount of sales in Sweden?', expect: ['1770'] },
    { ask: 'Who are you and what can you do?', after: ['When is the help desk open?'], expect: ['Nora', 'Sales'] },
    { ask: 'What is the capital of France?' },
    { ask: 'Who is the chancellor of Germany?' },
    { ask: 'How do I make pizza dough?' },
    { ask: 'What is the status of order 2077?' },
    { ask: 'What is the salary of the security officer?' },
    { ask: 'Is there a gym in the building?' },
    { ask: 'Wie hoch ist der Berg Kebnekaise?' },
    { ask: 'Quel est le prix du café en grains ?' },
    { ask: 'How long is the warranty of the milk frother?' },
    { ask: 'What is the Wi-Fi password for guests?' },
  ],
};
