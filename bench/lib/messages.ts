export const anonymizingOff = { pii_anonimization: [] };

/** Things that people ask about, none of them a name. */
const things = ['parcel', 'invoice', 'return', 'refund', 'password', 'delivery', 'subscription', 'warranty'];
const firstNames = ['Emma', 'Liam', 'Olivia', 'Noah', 'Sophia', 'Lucas', 'Hannah', 'Mateo'];
const lastNames = ['Johnson', 'Keller', 'Moreau', 'Rossi', 'Nowak', 'Svensson', 'Okafor', 'Tanaka'];

/**
 * Messages that are all different, since a server may remember texts. `mark` tells the provider how to answer. The
 * second kind has a name and two addresses in it.
 */
export function makeMessages() {
  let sent = 0;
  const thing = () => things[++sent % things.length] ?? '';
  return {
    plain: (mark: string) => `Where is the ${thing()} of order ${sent}? It should have come a week ago. ${mark}`,
    personal(mark: string): string {
      const [about, first] = [thing(), firstNames[sent % firstNames.length]];
      const last = lastNames[Math.floor(sent / firstNames.length) % lastNames.length];
      const mail = `${first}.${last}${sent}@example.com`.toLowerCase();
      return `My name is ${first} ${last}. Where is the ${about} of order ${sent}? Write to ${mail} or to Main Street ${sent}, Boston. ${mark}`;
    },
  };
}
