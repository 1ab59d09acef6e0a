import type { Recogniser, Span } from '../ports.ts';
import { before, glued, near } from '../surroundings.ts';

/** A registration of the US Drug Enforcement Administration: kind, first letter of the name or 9, seven digits. */
const registration = /[ABCDEFGHJKLMPRSTUX][A-Z9][ -]?\d{7}/gi;
const saysMedical = /\bdea\b|medic|licen[cs]e|certificate|prescri|doctor|\bdr\b|physician|pharma|practitioner|registr/i;
/** One number in ten passes the checksum by chance, so a word that says it is something else counts. */
const saysOther =
  /(?:passport|reisepass|passeport|part|serial|invoice|order|flight|ticket|sku|model|tracking|booking|policy|vin)[\s\w.:#-]{0,12}$/i;

function checks(digits: string): boolean {
  const at = (index: number) => digits.charCodeAt(index) - 48;
  return (at(0) + at(2) + at(4) + 2 * (at(1) + at(3) + at(5))) % 10 === at(6);
}

export const medicalLicense: Recogniser = {
  entities: ['MEDICAL_LICENSE'],
  find(text) {
    const spans: Span[] = [];
    for (const { 0: value, index: start } of text.matchAll(registration)) {
      const end = start + value.length;
      if (glued(text, start - 1) || glued(text, end) || !checks(value.slice(-7))) continue;
      const medical = near(text, start, end, saysMedical);
      if (!medical && (value.length > 9 || saysOther.test(before(text, start, 32)))) continue;
      spans.push({ entity: 'MEDICAL_LICENSE', start, end, score: medical ? 1 : 0.9 });
    }
    return spans;
  },
};
