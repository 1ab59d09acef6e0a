import { hash } from 'node:crypto';
import { conflict, notFound } from '@atrium/contract/errors.ts';
import type { Database } from '../../../db/database.ts';
import { parseStored } from '../../../lib/json/parse-stored.ts';
import type { Keyring } from '../../keyring/service.ts';
import { mcpAuthorizationPurpose, type PendingLogin } from './authorization.ts';
import { bindBrowser, findLogin, isLoginServer } from './authorization-store.ts';
import { browserHash, browserProof, browserTokensIn, cookieFor, createBrowserToken } from './browser-cookie.ts';
import { loginPage } from './login-page.ts';

export interface Login {
  /** Renders the page. It changes nothing, since programs such as link scanners open links before users do. */
  page(
    server_id: string,
    ticket: string | undefined,
    cookies: string | undefined,
  ): Promise<{
    html: string;
    cookie: string;
  }>;
  /** Binds the login to the browser that sent the form and returns the address of the authorization server. */
  goOn(
    server_id: string,
    ticket: string | undefined,
    cookies: string | undefined,
    form: URLSearchParams,
  ): Promise<string>;
}

const over = () => conflict('This login is not known, took too long or was begun in another browser', 'login_over');

/**
 * Leads the browser from the address that `authorize` returns to the authorization server, by a page with a button.
 * Only the browser that pressed the button can come back. Otherwise an attacker could start a login, send the link to a
 * victim, and get the victim's rights for a workspace of the attacker.
 */
export function makeLogin({ db, keyring, public_url }: { db: Database; keyring: Keyring; public_url: string }): Login {
  async function find(server_id: string, ticket: string | undefined) {
    if (!(await isLoginServer(db, server_id))) throw notFound('MCP server');
    const login = ticket === undefined ? undefined : await findLogin(db, server_id, hash('sha256', ticket));
    if (!login) throw over();
    return login;
  }

  return {
    async page(server_id: string, ticket: string | undefined, cookies: string | undefined) {
      const { id, issuer, scope, server, workspace, seconds } = await find(server_id, ticket);
      const browser = browserTokensIn(cookies).get(id) ?? createBrowserToken();
      const html = loginPage({ server, workspace, issuer, scope, proof: browserProof(browser) });
      return { html, cookie: cookieFor(public_url, id, browser, seconds) };
    },

    async goOn(server_id: string, ticket: string | undefined, cookies: string | undefined, form: URLSearchParams) {
      const { id, workspace_id } = await find(server_id, ticket);
      const browser = browserTokensIn(cookies).get(id);
      if (browser === undefined || form.get('proof') !== browserProof(browser)) throw over();
      const secrets = await bindBrowser(db, workspace_id, id, browserHash(browser));
      if (secrets === undefined) throw over();
      const opened = await keyring.open(workspace_id, mcpAuthorizationPurpose(id), secrets);
      return parseStored<PendingLogin>(opened).address;
    },
  };
}
