import { placeholdersPurpose } from '../../features/anonymization/placeholder-store.ts';
import { memoryPurpose } from '../../features/base-tools/memory/sealed-memories.ts';
import { tokenPurpose, variablesPurpose } from '../../features/conversations/service.ts';
import { secretsPurpose as deploymentPurpose, pagePurpose } from '../../features/deployments/service.ts';
import { blobKeyPurpose } from '../../features/files/encryption/blob-keys.ts';
import { purpose as answerPurpose } from '../../features/idempotency/service.ts';
import { sealedColumn } from '../../features/keyring/sealed-column-store.ts';
import { mcpAuthorizationPurpose } from '../../features/mcp/oauth/authorization.ts';
import { mcpSecretsPurpose } from '../../features/mcp/oauth/tokens.ts';
import { providerSealPurpose as providerPurpose } from '../../features/models/provider-accounts.ts';
import { pushKeyPurpose } from '../../features/notifications/push/push-keys.ts';
import { subscriptionPurpose } from '../../features/notifications/push/subscriptions.ts';
import { idTokenPurpose } from '../../features/people/identities/provider-sign-in.ts';
import { identityProviderPurpose } from '../../features/people/identities/providers.ts';
import { secondFactorPurpose } from '../../features/people/second-factors/check-code.ts';
import { mailPurpose } from '../../features/people/service.ts';
import { promptPurpose } from '../../features/traces/stored-prompts.ts';
import { secretPurpose as triggerPurpose } from '../../features/triggers/hooks/hooks.ts';
import { variableSealPurpose } from '../../features/variables/service.ts';
import { secretsPurpose } from '../../features/vault/service.ts';
import { secretPurpose as webhookPurpose } from '../../features/webhooks/constants.ts';
import { callbackKeyPurpose } from '../../features/workflows/runs/callbacks/callback-keys.ts';

/** Every column that holds boxes sealed with data keys; a column that is missing here is lost when keys are replaced. */
export const sealedColumns = [
  sealedColumn('conversations.variables', {
    ...{ owner: 'workspace', id: 'id' },
    purpose: () => variablesPurpose,
  }),
  sealedColumn('conversations.public_token', {
    ...{ owner: 'workspace', id: 'id' },
    purpose: () => tokenPurpose,
  }),
  sealedColumn('conversation_placeholders.sealed', {
    ...{ owner: 'workspace', id: 'conversation_id' },
    purpose: placeholdersPurpose,
  }),
  sealedColumn('memories.sealed', {
    ...{ owner: 'workspace', id: 'id' },
    purpose: memoryPurpose,
  }),
  sealedColumn('call_prompts.sealed', {
    ...{ owner: 'workspace', id: 'call_id' },
    purpose: promptPurpose,
  }),
  sealedColumn('idempotency_keys.answer', {
    ...{ owner: 'workspace', id: 'key' },
    purpose: () => answerPurpose,
  }),
  sealedColumn('variables.value', {
    ...{ owner: 'workspace', id: 'id' },
    purpose: variableSealPurpose,
  }),
  sealedColumn('vault_credentials.secrets', {
    ...{ owner: 'workspace', id: 'id' },
    purpose: secretsPurpose,
  }),
  sealedColumn('workflow_callback_keys.sealed', {
    ...{ owner: 'workspace', id: 'workspace_id' },
    purpose: callbackKeyPurpose,
  }),
  sealedColumn('mcp_servers.secrets', {
    ...{ owner: 'workspace', id: 'id' },
    purpose: mcpSecretsPurpose,
  }),
  sealedColumn('mcp_authorizations.secrets', {
    ...{ owner: 'workspace', id: 'id' },
    purpose: mcpAuthorizationPurpose,
  }),
  sealedColumn('triggers.secret', {
    ...{ owner: 'workspace', id: 'id' },
    purpose: triggerPurpose,
  }),
  sealedColumn('webhooks.secret', {
    ...{ owner: 'workspace', id: 'id' },
    purpose: webhookPurpose,
  }),
  sealedColumn('deployments.secrets', {
    ...{ owner: 'workspace', id: 'id' },
    purpose: deploymentPurpose,
  }),
  sealedColumn('deployments.token', {
    ...{ owner: 'workspace', id: 'id' },
    purpose: pagePurpose,
  }),
  sealedColumn('blob_keys.sealed', {
    ...{ owner: 'workspace', id: 'id' },
    purpose: blobKeyPurpose,
  }),
  sealedColumn('tenant_blob_keys.sealed', {
    ...{ owner: 'tenant', id: 'id' },
    purpose: blobKeyPurpose,
  }),
  sealedColumn('identity_providers.client_secret', {
    ...{ owner: 'tenant', id: 'id' },
    purpose: identityProviderPurpose,
  }),
  sealedColumn('outgoing_mails.sealed', {
    ...{ owner: 'tenant', id: 'id' },
    purpose: mailPurpose,
  }),
  sealedColumn('push_subscriptions.sealed', {
    ...{ owner: 'tenant', id: 'id' },
    purpose: subscriptionPurpose,
  }),
  sealedColumn('push_keys.sealed', {
    ...{ owner: 'tenant', id: 'tenant_id' },
    purpose: pushKeyPurpose,
  }),
  sealedColumn('oidc_sessions.id_token', {
    ...{ owner: 'tenant', id: 'session_id' },
    purpose: idTokenPurpose,
  }),
  sealedColumn('second_factors.secret', {
    ...{ owner: 'tenant', id: 'person_id' },
    purpose: secondFactorPurpose,
  }),
  sealedColumn('provider_accounts.secrets', {
    ...{ owner: 'tenant', id: 'id' },
    purpose: providerPurpose,
  }),
];
