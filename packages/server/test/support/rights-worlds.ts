import assert from 'node:assert/strict';
import { asProvider, fakeProvider, knowledgeApp } from '../../src/features/knowledge-bases/testing.ts';
import { as, makePeopleIn } from '../../src/features/people/testing.ts';
import { makeRandom } from './seeded-random.ts';

const vocabulary = 'walnut cat kitten dog puppy car vehicle budget salary board minutes merger garden harvest'.split(
  ' ',
);
const folders = ['/', '/a', '/a/b', '/c'];

interface Viewer {
  kind: 'role' | 'user_group' | 'person';
  id: string;
}
interface Reader {
  viewers: Viewer[];
  cookie: string;
  /** The answers of the last world; undefined while they change. */
  answers: string[] | undefined;
}
interface Hidden {
  id: string;
  name: string;
  prefix: string;
  visible_to: Viewer[];
}

/**
 * Makes worlds one after another in one knowledge base: each step adds, changes, moves, shows, hides or deletes a document.
 * Every reader to whom the document is forbidden before and after must get the same bytes as before the step: the two
 * worlds differ only by what is forbidden. Returns how many such pairs of worlds were compared.
 */
export async function compareWorlds(least: number, seed: number): Promise<number> {
  const random = makeRandom(seed);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const provider = await fakeProvider();
  const kb = await knowledgeApp({ providers: asProvider(provider.url), embedding_model: 'fake/embedder' });
  const { call, at } = kb;
  const people = await makePeopleIn(kb);

  const groups: string[] = [];
  for (const name of ['Board', 'Legal', 'Lab'])
    groups.push((await call('POST', '/v1/admin/user-groups', { name })).json.id);
  const roles: string[] = [];
  const permissions = { kbs_query: true, files_read: true };
  for (const name of ['Red', 'Blue']) {
    const made = await call('POST', '/v1/admin/roles', {
      name,
      scope: 'workspace',
      group_id: people.home,
      permissions,
    });
    assert.equal(made.status, 200, made.text);
    roles.push(made.json.id);
  }
  const readers: Reader[] = [];
  for (let at = 0; at < 14; at++) {
    const role = pick(roles);
    const { token } = await people.invite(role);
    const made = await people.accept(token);
    const { id } = made.json.person;
    const own = groups.filter(() => random() < 0.3);
    for (const group of own)
      assert.equal((await call('PUT', `/v1/admin/user-groups/${group}/members/${id}`)).status, 200);
    const viewers = [
      { kind: 'person' as const, id },
      { kind: 'role' as const, id: role },
      ...own.map((group) => ({ kind: 'user_group' as const, id: group })),
    ];
    const cookie = String(made.headers['set-cookie']).split(';')[0] as string;
    readers.push({ viewers, cookie, answers: undefined });
  }
  const audience: Viewer[] = [
    ...roles.map((id) => ({ kind: 'role' as const, id })),
    ...groups.map((id) => ({ kind: 'user_group' as const, id })),
    ...readers.flatMap(({ viewers }) => viewers.slice(0, 1)),
  ];
  const someViewers = () => Array.from({ length: Math.floor(random() * 3) }, () => pick(audience));

  const base = await kb.base({ auto_summary: false, threshold_enabled: false });
  const text = () => Array.from({ length: 30 }, () => pick(vocabulary)).join(' ');
  await kb.upload(base, Object.fromEntries([0, 1, 2, 3, 4, 5].map((n) => [`open${n}.txt`, text()])));
  await kb.trained(base);
  await kb.ready(base);
  // The index is ready a moment before the run that makes it has ended.
  await kb.until(
    async () => (await call('GET', `${at}/${base}/runs`)).json as { status: string }[],
    (runs) => runs.every(({ status }) => status === 'completed'),
  );
  const folderRights = new Map<string, Viewer[]>();
  for (const prefix of ['/a', '/c']) {
    const visible_to = [pick(audience), pick(audience), pick(audience)];
    folderRights.set(prefix, visible_to);
    assert.equal((await call('PUT', `${at}/${base}/folder-rights`, { prefix, visible_to })).status, 200);
  }

  const isOne = (reader: Reader, wanted: readonly Viewer[]) =>
    wanted.some((viewer) => reader.viewers.some(({ kind, id }) => kind === viewer.kind && id === viewer.id));
  const sees = (reader: Reader, document: Hidden | undefined) =>
    document !== undefined &&
    isOne(reader, document.visible_to) &&
    [...folderRights].every(([path, wanted]) => !`${document.prefix}/`.startsWith(`${path}/`) || isOne(reader, wanted));

  const questions = ['walnut budget', 'cat merger of the board'];
  const paths = [
    ...[`${at}/${base}`, at, `${at}/${base}/documents?size=100`, `${at}/${base}/chunks?size=100`],
    ...[`${at}/${base}/runs`, '/v1/files?size=100'],
    ...['/v1/search?q=hidden&limit=20', '/v1/search?q=walnut%20budget&limit=3', '/v1/search?q=cat&limit=20'],
  ];
  async function ask(reader: Reader): Promise<string[]> {
    const own = as(reader.cookie);
    const answers = await Promise.all([
      ...paths.map((path) => call('GET', path, undefined, own)),
      ...questions.map((query) => call('POST', `${at}/${base}/search`, { query, explain: true, top_k: 5 }, own)),
    ]);
    return answers.map(({ status, text: body }) => `${status} ${body}`);
  }
  const isTraining = async (reader: Reader) =>
    (await call('GET', `${at}/${base}`, undefined, as(reader.cookie))).json.status === 'training';

  const hidden: Hidden[] = [];
  let count = 0;
  const settled = () =>
    kb.until(
      async () => (await kb.query('select 1 from kb_index_changes where kb_id = $1', [base])).length,
      (left) => left === 0,
    );

  /** Changes one hidden document; returns it as it was and as it is. */
  async function step(): Promise<[before: Hidden | undefined, after: Hidden | undefined]> {
    const chosen = random();
    const index = Math.floor(random() * hidden.length);
    const before = hidden[index];
    if (!before || hidden.length < 4 || chosen < 0.3) {
      const [name, prefix, visible_to] = [`hidden${count++}.txt`, pick(folders), someViewers()];
      const query = new URLSearchParams({
        prefix,
        visible_to: visible_to.map((own) => `${own.kind}:${own.id}`).join(','),
      });
      const body = `--B\r\ncontent-disposition: form-data; name="files"; filename="${name}"\r\n\r\n${text()}\r\n--B--\r\n`;
      const headers = { 'content-type': 'multipart/form-data; boundary=B' };
      const sent = await call('POST', `${at}/${base}/upload_train?${query}`, body, { headers });
      assert.equal(sent.status, 200, sent.text);
      const document = (await kb.trained(base)).find((own) => own.name === name);
      const made = { id: document.id, name, prefix, visible_to };
      hidden.push(made);
      return [undefined, made];
    }
    const path = `${at}/${base}/document/${before.id}`;
    if (chosen < 0.4) {
      assert.equal((await call('DELETE', path)).status, 200);
      hidden.splice(index, 1);
      return [before, undefined];
    }
    const change =
      chosen < 0.7 ? { visible_to: someViewers() } : chosen < 0.9 ? { prefix: pick(folders) } : { status: 'training' };
    const answer = await call('PATCH', path, change);
    assert.equal(answer.status, 200, answer.text);
    if ('status' in change) await kb.trained(base);
    const { visible_to = before.visible_to, prefix = before.prefix } = change as Partial<Hidden>;
    const after = { ...before, visible_to, prefix };
    hidden[index] = after;
    return [before, after];
  }

  let compared = 0;
  while (compared < least) {
    // A reader joins when nothing that they see is under way any more.
    for (const reader of readers.filter(({ answers }) => answers === undefined))
      if (!(await isTraining(reader))) reader.answers = await ask(reader);
    const [before, after] = await step();
    await settled();
    for (const reader of readers) {
      if (sees(reader, before) || sees(reader, after)) {
        reader.answers = undefined;
        continue;
      }
      if (reader.answers === undefined) continue;
      const now = await ask(reader);
      for (const [answer, was] of reader.answers.entries())
        assert.equal(now[answer], was, `answer ${answer} after ${JSON.stringify({ before, after })}, seed ${seed}`);
      compared++;
    }
    // What a reader may see is found, so the comparison is not one of empty answers.
    const reader = pick(readers);
    const listed = (await call('GET', `${at}/${base}/documents?size=100`, undefined, as(reader.cookie))).json.items;
    const names = (listed as { name: string }[]).map(({ name }) => name).filter((name) => name.startsWith('hidden'));
    assert.deepEqual(
      names.sort(),
      hidden
        .filter((own) => sees(reader, own))
        .map(({ name }) => name)
        .sort(),
    );
    const found = await call(
      'POST',
      `${at}/${base}/search`,
      { query: vocabulary.join(' '), top_k: 200 },
      as(reader.cookie),
    );
    const sources = new Set(
      (found.json as { document_source: { name: string } }[]).map((hit) => hit.document_source.name),
    );
    assert.deepEqual([...sources].filter((name) => name.startsWith('hidden')).sort(), names.sort());
  }
  return compared;
}
