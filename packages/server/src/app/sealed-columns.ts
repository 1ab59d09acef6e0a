import { sql } from '../db/sql.ts';
import { placeholdersPurpose } from '../features/anonymization/placeholder-store.ts';
import { tokenPurpose, variablesPurpose } from '../features/conversations/service.ts';
import { secretsPurpose as deploymentPurpose, pagePurpose } from '../features/deployments/service.ts';
import { purpose as answerPurpose } from '../features/idempotency/service.ts';
import { sealedColumn } from '../features/keyring/sealed-column.ts';
import { mcpAuthorizationPurpose } from '../features/mcp/oauth/authorization.ts';
import { mcpSecretsPurpose } from '../features/mcp/oauth/tokens.ts';
import { providerSealPurpose as providerPurpose } from '../features/models/provider-accounts.ts';
import { promptPurpose } from '../features/traces/stored-prompts.ts';
import { secretPurpose as triggerPurpose } from '../features/triggers/hooks/hooks.ts';
import { variableSealPurpose } from '../features/variables/service.ts';
import { secretsPurpose } from '../features/vault/service.ts';
import { secretPurpose as webhookPurpose } from '../features/webhooks/constants.ts';
import { callbackKeyPurpose } from '../features/workflows/runs/callback-keys.ts';

/** Every column that holds boxes sealed with data keys. A new one that is not here would be lost when keys are replaced. */
export const sealedColumns = [
  sealedColumn('conversations.variables', {
    ...{ owner: 'workspace', table: sql`conversations`, box: sql`variables`, id: sql`id` },
    purpose: () => variablesPurpose,
  }),
  sealedColumn('conversations.public_token', {
    ...{ owner: 'workspace', table: sql`conversations`, box: sql`public_token`, id: sql`id` },
    purpose: () => tokenPurpose,
  }),
  sealedColumn('conversation_placeholders.sealed', {
    ...{ owner: 'workspace', table: sql`conversation_placeholders`, box: sql`sealed`, id: sql`conversation_id` },
    purpose: placeholdersPurpose,
  }),
  sealedColumn('call_prompts.sealed', {
    ...{ owner: 'workspace', table: sql`call_prompts`, box: sql`sealed`, id: sql`call_id` },
    purpose: promptPurpose,
  }),
  sealedColumn('idempotency_keys.answer', {
    ...{ owner: 'workspace', table: sql`idempotency_keys`, box: sql`answer`, id: sql`key` },
    purpose: () => answerPurpose,
  }),
  sealedColumn('variables.value', {
    ...{ owner: 'workspace', table: sql`variables`, box: sql`value`, id: sql`id` },
    purpose: variableSealPurpose,
  }),
  sealedColumn('vault_credentials.secrets', {
    ...{ owner: 'workspace', table: sql`vault_credentials`, box: sql`secrets`, id: sql`id` },
    purpose: secretsPurpose,
  }),
  sealedColumn('workflow_callback_keys.sealed', {
    ...{ owner: 'workspace', table: sql`workflow_callback_keys`, box: sql`sealed`, id: sql`workspace_id` },
    purpose: callbackKeyPurpose,
  }),
  sealedColumn('mcp_servers.secrets', {
    ...{ owner: 'workspace', table: sql`mcp_servers`, box: sql`secrets`, id: sql`id` },
    purpose: mcpSecretsPurpose,
  }),
  sealedColumn('mcp_authorizations.secrets', {
    ...{ owner: 'workspace', table: sql`mcp_authorizations`, box: sql`secrets`, id: sql`id` },
    purpose: mcpAuthorizationPurpose,
  }),
  sealedColumn('triggers.secret', {
    ...{ owner: 'workspace', table: sql`triggers`, box: sql`secret`, id: sql`id` },
    purpose: triggerPurpose,
  }),
  sealedColumn('webhooks.secret', {
    ...{ owner: 'workspace', table: sql`webhooks`, box: sql`secret`, id: sql`id` },
    purpose: webhookPurpose,
  }),
  sealedColumn('deployments.secrets', {
    ...{ owner: 'workspace', table: sql`deployments`, box: sql`secrets`, id: sql`id` },
    purpose: deploymentPurpose,
  }),
  sealedColumn('deployments.token', {
    ...{ owner: 'workspace', table: sql`deployments`, box: sql`token`, id: sql`id` },
    purpose: pagePurpose,
  }),
  sealedColumn('provider_accounts.secrets', {
    ...{ owner: 'tenant', table: sql`provider_accounts`, box: sql`secrets`, id: sql`id` },
    purpose: providerPurpose,
  }),
];
