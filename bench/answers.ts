import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startProcess } from '../packages/server/test/support/server-process.ts';
import { alpineSet, thirdOwnDocsSet } from './answers/alpine-set.ts';
import type { AnswerSet, EvalQuestion } from './answers/answer-set.ts';
import { firstSet } from './answers/first-set.ts';
import { freightSet, secondOwnDocsSet } from './answers/freight-set.ts';
import { type Judged, judgeAnswer } from './answers/judge-answer.ts';
import { officeSet } from './answers/office-set.ts';
import { ownDocsSet } from './answers/own-docs-set.ts';
import { type Asked, writeReport } from './answers/report.ts';
import { secondSet } from './answers/second-set.ts';
import { thirdSet } from './answers/third-set.ts';

// Asks the built-in model over documents of its own, on the real server with its default settings, and counts how many
// answers are right, missed, wrong and invented. `npm run answers -- <words>` asks only the questions with these words.

const key = 'bench-admin-key-0123456789';
const sets = [
  firstSet,
  secondSet,
  thirdSet,
  ownDocsSet,
  officeSet,
  freightSet,
  secondOwnDocsSet,
  alpineSet,
  thirdOwnDocsSet,
];

// biome-ignore lint/suspicious/noExplicitAny: answers of the API are read field by field
type Json = any;
type Call = (method: string, path: string, body?: object) => Promise<Json>;

const callAt =
  (address: string): Call =>
  async (method, path, body) => {
    const form = body instanceof FormData;
    const response = await fetch(`${address}${path}`, {
      method,
      headers: { 'x-api-key': key, ...(body && !form && { 'content-type': 'application/json' }) },
      ...(body && { body: form ? body : JSON.stringify(body) }),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };

/** Fills a knowledge base and tables with the set, and gives them to an agent. */
async function prepare(call: Call, { name, agent, documents, tables }: AnswerSet): Promise<string> {
  const { id: kb } = await call('POST', '/v1/knowledge-bases', { name: `Documents of the ${name}` });
  const form = new FormData();
  for (const { name: file, content } of documents)
    form.append('files', new Blob([typeof content === 'string' ? content : new Uint8Array(content)]), file);
  await call('POST', `/v1/knowledge-bases/${kb}/upload_train`, form);
  const made: string[] = [];
  for (const { name: table, columns, rows } of tables) {
    const { id } = await call('POST', '/v1/tables', { name: table, columns });
    await call('POST', `/v1/tables/${id}/rows`, rows);
    made.push(id);
  }
  const deadline = Date.now() + 120_000;
  while ((await call('GET', `/v1/knowledge-bases/${kb}`)).training_documents > 0) {
    if (Date.now() > deadline) throw new Error('The documents were not read within two minutes');
    await sleep(200);
  }
  const definition = { knowledge_bases: [kb], tables: made };
  return (await call('POST', '/v1/agents', { name: agent, definition })).id;
}

async function ask(call: Call, agent: string, { ask: question, after = [] }: EvalQuestion): Promise<string> {
  const { id } = await call('POST', `/v1/conversations?assistant_id=${agent}`, { name: 'answers' });
  let answer = '';
  for (const content of [...after, question]) {
    const { messages } = await call('POST', `/v1/conversations/${id}`, { content });
    const parts: { type: string; content: string }[] = messages.at(-1).message_parts;
    answer = parts.flatMap(({ type, content: text }) => (type === 'text' ? text : [])).join('');
  }
  return answer;
}

const words = process.argv.slice(2).join(' ').toLowerCase();
const dir = mkdtempSync(join(tmpdir(), 'atrium-answers-'));
const server = startProcess({ dir, env: { ATRIUM_ADMIN_KEY: key } });
try {
  const call = callAt(await server.ready);
  const asked: Asked[] = [];
  for (const set of sets) {
    const agent = await prepare(call, set);
    for (const question of set.questions.filter((one) => one.ask.toLowerCase().includes(words))) {
      const answer = await ask(call, agent, question);
      const judged: Judged = judgeAnswer(set, question, answer);
      asked.push({ set: set.name, question, answer, ...judged });
      if (words || judged.verdict !== 'right' || judged.invented.length > 0)
        process.stdout.write(
          `\n${judged.verdict}: ${[...(question.after ?? []), question.ask].join(' / ')}\n${answer}\n${judged.invented.map((line) => `INVENTED ${line}\n`).join('')}`,
        );
    }
  }
  const report = writeReport(asked);
  process.stdout.write(`\n${report}`);
  if (!words) writeFileSync(new URL('../docs/answers.md', import.meta.url), report);
} finally {
  await server.stop();
  rmSync(dir, { recursive: true, force: true });
}
