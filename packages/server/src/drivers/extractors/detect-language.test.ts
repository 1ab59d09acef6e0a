import assert from 'node:assert/strict';
import { test } from 'node:test';
import { detectLanguage } from './detect-language.ts';

test('detects the language of a text that is long enough', async () => {
  const texts = {
    en: 'The heron waits at the edge of the pond until a fish comes near. | 1 | 2 |',
    de: 'Der Reiher wartet am Rand des Teichs, bis ein Fisch in die Nähe kommt.',
    fr: 'Le héron attend au bord de l’étang jusqu’à ce qu’un poisson s’approche.',
    es: 'La garza espera al borde del estanque hasta que un pez se acerca a ella.',
    ja: 'サギは魚が近づくまで池の端で待っています。とても辛抱強い鳥で、その一撃はとても速いです。',
  };
  for (const [language, text] of Object.entries(texts)) {
    assert.equal(await detectLanguage(text), language);
    const mixed = `asn_der_decoding ist ein Name der Bibliothek\n${text.repeat(30)}\nint main void return char const`;
    assert.equal(await detectLanguage(mixed), language);
  }
  for (const text of ['', '12345 67890 '.repeat(100), 'Desk, 3']) assert.equal(await detectLanguage(text), null);
});
