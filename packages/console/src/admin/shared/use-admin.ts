import { useQueryClient } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMay, useWorkspace } from '../../api/session.ts';
import { adminTexts } from '../../text/admin/frame.ts';
import { sayFailure, sayToast } from '../../ui/toast.tsx';
import type { AdminSearch } from '../routes.tsx';

/** Loads what was changed again; `act` does so after an action, and says what failed. */
export function useRefresh(...kinds: string[]) {
  const { id } = useWorkspace();
  const queries = useQueryClient();
  const refresh = () => Promise.all(kinds.map((kind) => queries.invalidateQueries({ queryKey: [id, kind] })));
  const act = async (action: () => Promise<unknown>, done?: string): Promise<void> => {
    try {
      await action();
      await refresh();
      if (done) sayToast({ text: done });
    } catch (error) {
      sayFailure(error, () => void act(action, done));
    }
  };
  return { refresh, act };
}

/** What the address says besides the page, and the way to change it. */
export function useAddress(): [AdminSearch, (changes: AdminSearch) => void] {
  const search = useSearch({ strict: false }) as AdminSearch;
  const navigate = useNavigate();
  const show = (changes: AdminSearch) =>
    void navigate({ to: '.', search: ((old: AdminSearch) => ({ ...old, ...changes })) as never, replace: true });
  return [search, show];
}

/** Why an action is off, or false. */
export function useRefusals() {
  const may = useMay();
  return {
    ofOrganization: !may('org:admin') && adminTexts.needsOrganization,
    ofWorkspace: !may('workspace_admin') && adminTexts.needsWorkspace,
  };
}
