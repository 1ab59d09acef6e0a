import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { makeBrowser } from '../../src/features/notifications/push/testing.ts';
import { aBrowser, startProvider } from '../../src/features/people/identities/testing.ts';
import { as, makePeopleIn, password } from '../../src/features/people/testing.ts';
import type { CanaryPath } from './canary-path.ts';

/** Takes secrets through the accounts of people: identity providers, second factors, mails and push. */
export const peoplePaths: CanaryPath[] = [
  {
    path: 'identity providers, sign-ins there, second factors, mails and push',
    async run(canary) {
      const people = await makePeopleIn(canary);
      const provider = await startProvider(canary, {
        create_accounts: true,
        default_membership: { group_id: people.home, role_id: people.roleNamed('Reader') },
      });
      await canary.good('PATCH', `/v1/admin/identity-providers/${provider.id}`, { client_secret: canary.marks.object });
      await canary.good('PATCH', `/v1/admin/identity-providers/${provider.id}`, {
        client_secret: 'a secret of the client',
      });
      await canary.good('GET', '/v1/admin/identity-providers');
      const login = randomUUID();
      provider.accounts.set(login, { email: `${login}@example.com`, email_verified: true, name: 'Cy' });
      const back = await aBrowser(canary).signIn(provider, login);
      assert.equal(back.status, 303, back.text);
      const { cookie } = await people.aMember('Reader');
      const subscription = { endpoint: `https://push.example.com/${canary.marks.object}`, keys: makeBrowser().keys };
      await canary.good('GET', '/v1/me/push-key', undefined, as(cookie));
      await canary.good('POST', '/v1/me/push-subscriptions', subscription, as(cookie));
      await canary.good('GET', '/v1/me/push-subscriptions', undefined, as(cookie));
      await canary.good('POST', '/v1/auth/second-factor', { password }, as(cookie));
      await people.invite(people.roleNamed('Reader'));
    },
  },
];
