import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mailFindings } from '../../../../scripts/doctor-mail.ts';
import { startMailServer } from '../../../../test/support/mail-server.ts';
import { testApp } from '../../../../test/support/test-app.ts';
import { eventually } from '../../channels/testing.ts';
import { anAddress, as, makePeopleIn, password } from '../testing.ts';
import { plainName } from './mail-texts.ts';

let refusal: number | undefined;
const smtp = await startMailServer({ refuse: () => refusal });
const settings = {
  ...{ server: smtp.settings, from: { name: 'Atrium', address: 'no-reply@atrium.example' } },
  public_url: 'https://atrium.example/base',
};
const testing = await testApp({ roles: ['http', 'worker'], mail: settings });
const { call, query, logged } = testing;
const { home, roleNamed, invite, accept, signIn, aMember } = await makePeopleIn(testing);

const mailTo = (address: string) =>
  eventually(() => smtp.mails.find(({ recipients }) => recipients.includes(address)), `a mail to ${address}`);
const mailsTo = (address: string) => smtp.mails.filter(({ recipients }) => recipients.includes(address)).length;
const tokenIn = (text = '') => /#token=(atl_[\w-]{43})\n/.exec(text)?.[1] ?? '';
const ask = (email: string, address = '203.0.113.7') =>
  testing.app.server.inject({
    ...{ method: 'POST', url: '/v1/auth/password-reset/request', remoteAddress: address, payload: { email } },
  });
const jobs = () =>
  query(
    "select payload::text as text from graphile_worker._private_jobs where task_id in (select id from graphile_worker._private_tasks where identifier like 'people.%')",
  );
const quiet = () => eventually(async () => (await jobs()).length === 0 || undefined, 'no job is left');
/** Lets jobs that wait for their next try run now. */
const hurry = () =>
  query(
    `select graphile_worker.reschedule_jobs(array_agg(j.id), run_at => now()) from graphile_worker._private_jobs j
     join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier like 'people.%'`,
  );

test('an invitation is mailed with a link whose secret no server sees, and the token is shown as before', async () => {
  const made = await invite(roleNamed('Reader'));
  assert.equal((made as { mailed?: boolean }).mailed, true);
  const mail = await mailTo(made.email);
  assert.equal(tokenIn(mail.text), made.token);
  assert.match(mail.text ?? '', /\nhttps:\/\/atrium\.example\/base\/invitation#token=atl_/);
  assert.deepEqual([mail.from?.address, mail.html], ['no-reply@atrium.example', undefined]);
  assert.deepEqual(mail.recipients, [made.email]);
  const [listed] = (await call('GET', `/v1/admin/groups/${home}/invitations`)).json;
  assert.deepEqual([listed.mailed, listed.token], [true, null]);
  assert.equal((await accept(tokenIn(mail.text))).status, 200);
});

test('names that people chose become neither markup nor links nor headers in a mail', async () => {
  const name = '<a href="https://evil.example">Win</a>\r\nBcc: victim@example.com\r\n\r\nevil.example/x';
  const { json: group } = await call('POST', '/v1/admin/groups', { name });
  const made = await invite(roleNamed('Reader'), { group_id: group.id });
  const mail = await mailTo(made.email);
  assert.deepEqual([mail.recipients, mail.bcc, mail.html], [[made.email], undefined, undefined]);
  assert.equal((mail.text ?? '').match(/https?:/g)?.length, 1, 'the one link is ours');
  assert.doesNotMatch(mail.text ?? '', /[<>]|evil\.example|\nBcc/);
  assert.equal(plainName("Dr. O'Neil & Søn (Ålesund)"), "Dr. O'Neil & Søn (Ålesund)");
});

test('a mail that is refused for now is sent again, and nothing on the way has its secret in the clear', async () => {
  refusal = 451;
  const made = await invite(roleNamed('Reader'));
  await eventually(() => logged.some((line) => line.includes('The mail server answered 451')) || undefined);
  const waiting = await jobs();
  assert.equal(waiting.length, 1);
  const rows = await query('select id, sealed from outgoing_mails');
  assert.equal(rows.length, 1);
  for (const text of [JSON.stringify(waiting), JSON.stringify(rows), logged.join('\n')])
    for (const secret of [made.token, made.email, 'mail-password']) assert.ok(!text.includes(secret));
  refusal = undefined;
  await hurry();
  assert.equal(tokenIn((await mailTo(made.email)).text), made.token);
  await quiet();
  assert.deepEqual(await query('select 1 from outgoing_mails'), []);
});

test('a mail goes with its link: a revoked invitation is not mailed, and one refused for good is not tried again', async () => {
  refusal = 451;
  const revoked = await invite(roleNamed('Reader'));
  await eventually(
    async () =>
      (await query('select 1 from graphile_worker._private_jobs where attempts > 0 and locked_at is null')).length ||
      undefined,
  );
  assert.equal((await call('DELETE', `/v1/admin/groups/${home}/invitations/${revoked.id}`)).status, 200);
  assert.deepEqual(await query('select 1 from outgoing_mails'), []);
  refusal = undefined;
  await hurry();
  await quiet();
  assert.equal(mailsTo(revoked.email), 0);
  refusal = 550;
  const refused = await invite(roleNamed('Reader'));
  await eventually(() => logged.some((line) => line.includes('mail.refused')) || undefined);
  await quiet();
  refusal = undefined;
  assert.deepEqual(await query('select 1 from outgoing_mails'), []);
  assert.equal((await accept(refused.token)).status, 200, 'the token still works by hand');
});

test('a forgotten password is set with a mailed link, once', async () => {
  const person = await aMember('Reader');
  const asked = await ask(person.email.toUpperCase());
  assert.deepEqual([asked.statusCode, asked.json()], [200, { success: true }]);
  const mail = await eventually(() =>
    smtp.mails.find(({ subject, recipients }) => subject?.includes('password') && recipients.includes(person.email)),
  );
  assert.match(mail.text ?? '', /\nhttps:\/\/atrium\.example\/base\/reset#token=atl_/);
  const set = (token: string) =>
    call('POST', '/v1/auth/password-reset', { token, password: 'quite another password' }, { key: null });
  assert.equal((await signIn(person.email)).status, 200, 'the old password works until then');
  assert.equal((await set(tokenIn(mail.text))).status, 200);
  assert.equal((await set(tokenIn(mail.text))).status, 403);
  assert.equal((await call('GET', '/v1/auth/session', undefined, as(person.cookie))).status, 401);
  assert.equal((await signIn(person.email, 'quite another password')).status, 200);
  assert.ok(!logged.join('\n').includes(tokenIn(mail.text)));
});

test('asking for a link keeps the one that an administrator made, and using one ends the other', async () => {
  const person = await aMember('Reader');
  const made = await call('POST', `/v1/admin/users/${person.id}/password-reset`);
  await ask(person.email, '203.0.113.40');
  const mail = await eventually(() =>
    smtp.mails.find(({ subject, recipients }) => subject?.includes('password') && recipients.includes(person.email)),
  );
  const set = (token: string) =>
    call('POST', '/v1/auth/password-reset', { token, password: 'quite another password' }, { key: null });
  assert.equal((await set(made.json.token)).status, 200);
  assert.equal((await set(tokenIn(mail.text))).status, 403);
});

test('asking for a link answers the same for every address, and mails only accounts that may have one', async () => {
  const [person, gone, single] = [await aMember('Reader'), await aMember('Reader'), await aMember('Reader')];
  await call('PATCH', `/v1/admin/users/${gone.id}`, { active: false });
  // As an account is that signs in through a provider alone.
  await query('update people set password_hash = null where id = $1', [single.id]);
  await quiet();
  const before = smtp.mails.length;
  const answers = [];
  for (const email of [person.email, gone.email, single.email, anAddress(), person.email])
    answers.push(await ask(email, '203.0.113.8'));
  for (const { statusCode, payload, headers } of answers) {
    assert.deepEqual([statusCode, payload], [200, '{"success":true}']);
    assert.deepEqual(Object.keys(headers).toSorted(), Object.keys(answers[0]?.headers ?? {}).toSorted());
  }
  await quiet();
  assert.deepEqual(
    smtp.mails.slice(before).map(({ recipients }) => recipients),
    [[person.email]],
  );
  // Within five minutes there is no second one, from wherever it is asked for.
  await ask(person.email, '198.51.100.9');
  await quiet();
  assert.equal(smtp.mails.length, before + 1);
  await query("update one_time_links set created_at = now() - interval '6 minutes' where person_id = $1", [person.id]);
  await ask(person.email, '198.51.100.9');
  await eventually(() => smtp.mails.length === before + 2 || undefined);
});

test('asking for links is slowed for the pair of address and network, and for a network as a whole', async () => {
  const [email, other] = [anAddress(), anAddress()];
  const statuses = [];
  for (let count = 0; count < 6; count++) statuses.push((await ask(email, '192.0.2.1')).statusCode);
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 429]);
  assert.equal((await ask(other, '192.0.2.1')).statusCode, 200, 'another account');
  assert.equal((await ask(email, '192.0.2.200')).statusCode, 200, 'another network');
  let last = await ask(anAddress(), '192.0.2.1');
  for (let count = 0; count < 40 && last.statusCode === 200; count++) last = await ask(anAddress(), '192.0.2.1');
  assert.equal(last.statusCode, 429);
  assert.ok(Number(last.headers['retry-after']) > 0);
  assert.equal((await signIn(email, password)).status, 401, 'sign-in counts apart');
});

test('a request for a link does the same work for a known and an unknown address', async () => {
  const idle = await testApp({ mail: settings });
  const people = await makePeopleIn(idle);
  const person = await people.aMember('Reader');
  const ofReset = `select count(*)::int as count from graphile_worker._private_jobs j
    join graphile_worker._private_tasks t on t.id = j.task_id where t.identifier = 'people.mail-reset'`;
  for (const [index, email] of [person.email, anAddress()].entries()) {
    assert.equal((await idle.call('POST', '/v1/auth/password-reset/request', { email }, { key: null })).status, 200);
    assert.equal((await idle.query(ofReset))[0].count, index + 1, 'one job each, and the account is looked for there');
  }
  assert.deepEqual(await idle.query("select 1 from one_time_links where kind = 'reset'"), []);
});

test('a server without mail says so, and invitations are passed on by hand', async () => {
  const plain = await testApp();
  const people = await makePeopleIn(plain);
  assert.equal(((await people.invite(people.roleNamed('Reader'))) as { mailed?: boolean }).mailed, false);
  const options = async ({ call: to }: typeof plain) =>
    (await to('GET', '/v1/auth/options', undefined, { key: null })).json.password_reset;
  assert.deepEqual([await options(plain), await options(testing)], [false, true]);
  const refused = await plain.call('POST', '/v1/auth/password-reset/request', { email: anAddress() }, { key: null });
  assert.deepEqual([refused.status, refused.json.code], [503, 'mail_not_set']);
});

test('the doctor signs in at the mail server and says what is wrong, without the password', async () => {
  const told = async (mail: typeof settings | undefined, env = {}) => (await mailFindings({ mail }, env)).join('\n');
  assert.match(await told(settings), /^127\.0\.0\.1:\d+ \(in plain\) takes mail from no-reply@atrium\.example/);
  const wrong = await told({ ...settings, server: { ...smtp.settings, password: 'wrong-password' } as never });
  assert.match(wrong, /The mail server answered 535/);
  assert.doesNotMatch(wrong, /wrong-password/);
  assert.match(await told({ ...settings, server: { ...smtp.settings, port: 9 } as never }), /could not be reached/);
  const missing = await told(undefined, { ATRIUM_SMTP_URL: 'smtp://x' });
  assert.equal(missing, 'not sent: ATRIUM_MAIL_FROM, ATRIUM_PUBLIC_URL are not set');
});
