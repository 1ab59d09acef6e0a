import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readingsOf } from './follow-ups.ts';

const topicsOf = (question: string, ...before: string[]) => readingsOf(question, before).map(({ topic }) => topic);

test('uses no words of an earlier question when a question stands on its own', () => {
  const before = 'How much does shipping to Spain cost?';
  for (const question of [
    'Is there a canteen?',
    'Who sits on the board?',
    'How long does it take to descale the machine?',
    'What are the opening hours this week?',
    'And who teaches Latte art?',
    'Wie lange dauert es, die Maschine zu entkalken?',
    'Gibt es einen Parkplatz?',
    'Quel est le prix de la visite ?',
    'Combien coûte la carte ?',
    '¿Cuánto cuestan las entradas?',
    'Can employees bring their dog?',
    'What happens to a sandbox when it is idle?',
    'Who leads his own team?',
    'Where do visitors park their car?',
    'Dürfen Mitarbeiter ihren Hund mitbringen?',
    'Bieten Sie Kaffee an?',
    'Which rooms are on that floor?',
  ])
    assert.deepEqual(topicsOf(question, before), [''], question);
});

test('goes on about the earlier question when a question needs it', () => {
  const before = 'How much does shipping to Spain cost?';
  for (const question of [
    'And to Germany?',
    'To Germany?',
    'How long does it take?',
    'Who pays for it?',
    'And when?',
    'How many of those are paid?',
    'Who pays for their box?',
    'Can I change its colour?',
  ])
    assert.equal(topicsOf(question, before)[0], before, question);
  assert.equal(topicsOf('Wie lange dauert das?', 'Was kostet der Versand?')[0], 'Was kostet der Versand?');
  assert.equal(topicsOf('Und am Freitag?', 'Wann ist die Kernzeit?')[0], 'Wann ist die Kernzeit?');
});
