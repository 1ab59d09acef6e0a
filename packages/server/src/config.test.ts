import assert from 'node:assert/strict';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { configFields, loadConfig } from './config.ts';

test('with nothing set there is a default for everything', () => {
  const config = loadConfig({});
  assert.partialDeepStrictEqual(config, {
    host: '127.0.0.1',
    port: 8080,
    data_dir: resolve('./data'),
    roles: ['http', 'worker'],
    log_level: 'info',
    max_json_bytes: 2 * 1024 * 1024,
    db_pool: 16,
    trusted_proxies: ['loopback'],
  });
  assert.deepEqual(
    [config.admin_key, config.secret_key, config.database_url, config.metrics_token],
    [undefined, undefined, undefined, undefined],
  );
});

test('an empty variable counts as absent, and variables of others are not looked at', () => {
  const empty = Object.fromEntries(configFields.map(({ name }) => [name, '']));
  const { findBackupBucket: find, ...config } = loadConfig({ ...empty, PATH: '/bin', ATRIUM: undefined });
  const { findBackupBucket: findWithout, ...without } = loadConfig({});
  assert.deepEqual(config, without);
  assert.equal(find('/mnt/backups'), findWithout('/mnt/backups'));
});

test('reads every value that is set', () => {
  const config = loadConfig({
    HOST: '0.0.0.0',
    PORT: '0',
    ATRIUM_DATA_DIR: '/srv/atrium',
    ATRIUM_ADMIN_KEY: 'twenty-four-characters-1',
    ATRIUM_SECRET_KEY: 'sixteen-letters!',
    DATABASE_URL: 'postgresql://u:p@db/atrium',
    ATRIUM_LOG_LEVEL: 'debug',
    ATRIUM_METRICS_TOKEN: 'metrics-token',
    ATRIUM_MAX_JSON_MB: '0.5',
    ATRIUM_DB_POOL: '40',
  });
  assert.deepEqual(
    [config.host, config.port, config.data_dir, config.max_json_bytes, config.db_pool],
    ['0.0.0.0', 0, '/srv/atrium', 512 * 1024, 40],
  );
  assert.equal(config.database_url, 'postgresql://u:p@db/atrium');
});

test('every bad variable is named in one message, and no secret is printed', () => {
  const bad = {
    PORT: 'eighty',
    ATRIUM_ADMIN_KEY: 'short-1',
    ATRIUM_SECRET_KEY: 'short-2',
    DATABASE_URL: 'mysql://user:secret-3@db',
    ATRIUM_ROLES: 'http,cook',
    ATRIUM_LOG_LEVEL: 'loud',
    ATRIUM_METRICS_TOKEN: 'short-4',
    ATRIUM_MAX_JSON_MB: '-1',
    ATRIUM_DB_POOL: '1',
  };
  assert.throws(
    () => loadConfig(bad),
    ({ message }: Error) => {
      for (const name of Object.keys(bad)) assert.match(message, new RegExp(`^ {2}${name}[.:]`, 'm'), name);
      assert.doesNotMatch(message, /short-\d|secret-3/);
      return true;
    },
  );
  for (const PORT of ['-1', '65536', '80.5']) assert.throws(() => loadConfig({ PORT }), /PORT/);
});

test('accepts one role or both, with or without spaces', () => {
  const roles = (ATRIUM_ROLES: string) => loadConfig({ ATRIUM_ROLES }).roles;
  assert.deepEqual(roles('http'), ['http']);
  assert.deepEqual(roles('worker'), ['worker']);
  assert.deepEqual(roles(' worker , http '), ['worker', 'http']);
  for (const bad of ['http,', ',', 'HTTP', ' ']) assert.throws(() => roles(bad), /ATRIUM_ROLES/, `"${bad}" was taken`);
});

test('a proxy to trust is an address or a block', () => {
  const trusted = (ATRIUM_TRUSTED_PROXIES: string) => loadConfig({ ATRIUM_TRUSTED_PROXIES }).trusted_proxies;
  const good = ['10.0.0.1', '10.1.0.0/16', 'fd00::/8', '::1', 'loopback'];
  assert.deepEqual(trusted(good.join(', ')), good);
  for (const bad of [
    'proxy.corp',
    '10.0.0.0/33',
    '10.0.0.0/',
    '10.0.0',
    'fd00::/129',
    '10.0.0.0/8/8',
    'everybody',
    '*',
  ])
    assert.throws(() => trusted(bad), /ATRIUM_TRUSTED_PROXIES/, bad);
});

test('every setting has a meaning to show', () => {
  assert.ok(configFields.length >= 11);
  for (const { name, meaning } of configFields) assert.ok(meaning.length > 10, name);
});

test('exposes only environment variables with the prefix, and refuses a prefix that matches a setting', () => {
  const env = { ATRIUM_VAR_A: 'a', ATRIUM_VAR_EMPTY: '', ATRIUM_SECRET_KEY: 'a-secret-of-16-characters', PATH: '/bin' };
  assert.deepEqual(loadConfig(env).variable_values, { ATRIUM_VAR_A: 'a' });
  assert.deepEqual(loadConfig({ ...env, ATRIUM_VARIABLE_PREFIX: 'MY_', MY_B: 'b' }).variable_values, { MY_B: 'b' });
  for (const prefix of ['ATRIUM_', 'OPENAI_', 'AWS_', 'database_', 'P', '_', 'A-B_'])
    assert.throws(() => loadConfig({ ATRIUM_VARIABLE_PREFIX: prefix }), /ATRIUM_VARIABLE_PREFIX/, prefix);
});

test('an admin key that is short, an example or easy to guess is refused, and a made one is taken', () => {
  for (const [value, why] of [
    ['twenty-three-characters', /at least 24 characters/],
    ['change-me-change-me-change-me', /an example or easy to guess/],
    ['your-admin-key-goes-here-please', /an example or easy to guess/],
    ['a'.repeat(40), /an example or easy to guess/],
    ['abcabcabcabcabcabcabcabcabcabc', /an example or easy to guess/],
  ] as const)
    assert.throws(
      () => loadConfig({ ATRIUM_ADMIN_KEY: value }),
      (error: Error) => why.test(error.message) && !error.message.includes(value),
    );
  const made = 'q3Zr0p6mX1cT9yVb8sKd2LwN';
  assert.equal(loadConfig({ ATRIUM_ADMIN_KEY: made }).admin_key, made);
});
