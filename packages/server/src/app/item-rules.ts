import type { ApiKey } from '@atrium/contract/keys/schema.ts';
import type { Member } from '@atrium/contract/people/schema.ts';
import { allows } from '@atrium/contract/permissions.ts';
import type { Role } from '@atrium/contract/roles/schema.ts';
import type { Trigger } from '@atrium/contract/triggers/schema.ts';
import { holdsMore, mayRevoke } from '../features/keys/service.ts';
import type { ItemRules } from '../features/may/service.ts';
import { permissionsBeyond } from '../features/people/service.ts';
import { neededFor } from '../features/triggers/service.ts';
import type { Scope } from '../lib/scope.ts';

/** The checks of features that `may` of items follows, besides the permissions of operations. */
export const itemRules: ItemRules = {
  trigger: (scope: Scope, { assistant_id }: Trigger) => {
    const may = (verb: 'run' | 'edit') =>
      allows(scope.permissions, neededFor(assistant_id === null ? 'workflow' : 'agent', verb));
    return { edit: may('edit'), delete: may('edit'), fire: may('run') };
  },
  api_key: (scope: Scope, key: ApiKey) => {
    const within = !holdsMore(scope, key);
    return { edit: within, rotate: within, delete: mayRevoke(scope, key) };
  },
  member: (scope: Scope, { permissions, tenant_admin }: Member) => {
    const within =
      permissionsBeyond(scope, [...permissions, ...(tenant_admin ? (['org:admin'] as const) : [])]).length === 0;
    return { edit: within, delete: within };
  },
  role: (_: Scope, { is_default }: Role) => ({ edit: !is_default, delete: !is_default }),
};
