/** Pages whose parts have the same names in every workspace; what stands behind others is an id of one workspace. */
const withParts = ['admin', 'resources'];

/** The address in another workspace of the page that is open: the same list, without what belongs to this workspace. */
export function samePage(pathname: string, workspaceId: string): string {
  const [, first, , page, part] = pathname.split('/');
  if (first !== 'w' || !page) return `/w/${workspaceId}/chat`;
  return `/w/${workspaceId}/${page}${part && withParts.includes(page) ? `/${part}` : ''}`;
}
