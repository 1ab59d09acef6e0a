import { docx, pptx, xlsx } from '../../../../test/golden/office.ts';
import { pdf } from '../../../../test/golden/pdf.ts';
import { extractorConformance } from '../conformance.ts';
import { binaryTypes } from '../file-types.ts';
import { makePool } from './pool.ts';
import { readers } from './readers.ts';

const samples: Record<Exclude<keyof typeof binaryTypes, 'image'>, (text: string) => Buffer> = {
  docx: (text) => docx(text),
  pptx: (text) => pptx(text),
  xlsx: (text) => xlsx(undefined, text),
  pdf: (text) => pdf([{ unicode: text }]),
  eml: (text) =>
    Buffer.from(
      `Subject: Hello\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Transfer-Encoding: 8bit\r\n\r\n${text}`,
    ),
};

// Readers behave the same in and out of a process; most tests here avoid the cost of a process.
const read = readers();
for (const [kind, sample] of Object.entries(samples))
  extractorConformance(kind, { types: binaryTypes[kind as keyof typeof samples], extract: read }, sample, 100);

const { extract } = makePool({});
extractorConformance('a process of its own', { types: binaryTypes.docx, extract }, samples.docx, 8);
