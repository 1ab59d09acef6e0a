/** Texts of a made-up shop. They are stored as documents of a knowledge base, so that a first agent has something to say. */
export const sampleDocuments: readonly { name: string; text: string }[] = [
  {
    name: 'Returns and refunds.md',
    text: `# Returns and refunds

## How long customers can send something back
Customers can send back anything they bought within 30 days after it arrived. Opened hygiene products and gift cards are not taken back.

## How refunds work
A refund goes to the payment method that was used for the order. Refunds take 3 to 5 working days after the parcel has arrived in our warehouse. Refunds above 100 euros are approved by a team lead first.

## Return label
Customers print the label in their account under Orders. Returns are free within the European Union. Customers elsewhere pay the postage themselves.

## Damaged goods
Damaged goods are replaced or refunded in full within 30 days. Customers send a photo of the damage; nothing has to be sent back below 20 euros.
`,
  },
  {
    name: 'Delivery.md',
    text: `# Delivery

## Delivery times
Standard delivery takes 2 to 4 working days. Express delivery arrives on the next working day for orders before 14:00.

## Prices
Standard delivery costs 4.90 euros and is free for orders above 50 euros. Express delivery costs 9.90 euros.

## Where we deliver
We deliver to all countries of the European Union, Norway and Switzerland. We do not deliver to parcel lockers outside of Germany.

## A parcel does not arrive
If a parcel is not there after 7 working days, we ask the carrier. If the carrier does not find it within 5 working days, we send the goods again.
`,
  },
  {
    name: 'Opening hours and contact.md',
    text: `# Opening hours and contact

## Opening hours
The shop in Harbour Street 12 is open Monday to Friday from 9:00 to 19:00 and on Saturdays from 10:00 to 16:00. It is closed on Sundays and public holidays.

## Contact
Customers write to help@northwind.example or call 030 5550 1234. The phone is answered Monday to Friday from 9:00 to 17:00. Mails are answered within one working day.

## Languages
We answer in English, German and French.

## What this desk can do
The support desk answers questions about orders, delivery, returns, refunds and opening hours. It can not change orders or prices; a colleague does that.
`,
  },
];
