import { useQuery } from '@tanstack/react-query';
import { useClient, useWorkspace } from '../../api/session.ts';
import { signInTexts as words } from '../../text/admin/people.ts';
import { Switch } from '../../ui/switch.tsx';
import { Loaded } from '../shared/loaded.tsx';
import { Card } from '../shared/section-page.tsx';
import { useRefresh } from '../shared/use-admin.ts';
import { IdentityProviders } from './identity-providers.tsx';
import { ScimTokens } from './scim-tokens.tsx';

/** How people sign in: second factors, single sign-on, a directory. */
export function SignIn() {
  return (
    <>
      <Policy />
      <IdentityProviders />
      <ScimTokens />
    </>
  );
}

const fields = [
  { key: 'second_factor_required', label: words.required, help: words.requiredHelp },
  { key: 'second_factor_for_identity_providers', label: words.forProviders, help: undefined },
] as const;

function Policy() {
  const client = useClient();
  const { id } = useWorkspace();
  const query = useQuery({ queryKey: [id, 'sign-in-policies'], queryFn: () => client.signInPolicy.get() });
  const { act } = useRefresh('sign-in-policies');
  return (
    <Card title={words.policy} help={words.policyHelp}>
      <Loaded query={query} rows={2}>
        {(policy) => (
          <ul className="divide-y divide-line">
            {fields.map(({ key, label, help }) => (
              <li key={key} className="flex items-center gap-3 px-4 py-2.5">
                <span className="min-w-0 flex-1 text-label">
                  {label}
                  {help && <span className="block text-caption text-text-3">{help}</span>}
                </span>
                <Switch
                  label={label}
                  checked={policy[key]}
                  onChange={(on) =>
                    void act(() => client.signInPolicy.update({ [key]: on }, { ifMatch: policy.etag }), words.saved)
                  }
                />
              </li>
            ))}
          </ul>
        )}
      </Loaded>
    </Card>
  );
}
