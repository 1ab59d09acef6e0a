import { readFileSync } from 'node:fs';
import { type PiiEntity, piiEntities } from '@atrium/contract/settings/keys/safety.ts';

export interface Case {
  entity: PiiEntity;
  text: string;
  /** Where the values are; none in a negative case. */
  values: { start: number; end: number }[];
  /** Written with the others, never looked at while the rules were made. */
  held_out: boolean;
}

const escaped = (line: string) =>
  line
    .replaceAll('\\n', '\n')
    .replaceAll('\\t', '\t')
    .replace(/\\u\{([0-9a-f]+)\}/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));

/** `+` before a text with values, each in ⟦⟧; `-` before a text without. */
function readCase(entity: PiiEntity, line: string, held_out: boolean): Case {
  const values: Case['values'] = [];
  let text = '';
  for (const part of escaped(line.slice(2)).split(/(⟦[^⟧]*⟧)/)) {
    if (part.startsWith('⟦')) values.push({ start: text.length, end: text.length + part.length - 2 });
    text += part.replace(/^⟦|⟧$/g, '');
  }
  if ((line[0] === '+') !== values.length > 0) throw new Error(`The case does not keep what its sign says: ${line}`);
  return { entity, text, values, held_out };
}

function casesOf(entity: PiiEntity): Case[] {
  const file = new URL(`cases/${entity.toLowerCase()}.txt`, import.meta.url);
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const border = lines.indexOf('== held out');
  return lines.flatMap((line, index) => (index === border ? [] : [readCase(entity, line, index > border)]));
}

export const cases: readonly Case[] = piiEntities.flatMap(casesOf);
