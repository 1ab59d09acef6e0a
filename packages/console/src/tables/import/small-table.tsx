/** A few rows that scroll inside of their frame. */
export function SmallTable(props: { label: string; titles: readonly string[]; rows: readonly (readonly string[])[] }) {
  const { label, titles, rows } = props;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled with the keyboard.
    // biome-ignore lint/a11y/useSemanticElements: a frame that scrolls is named.
    <div role="region" aria-label={label} tabIndex={0} className="max-h-60 overflow-auto rounded-2 border border-line">
      <table className="w-full text-dense">
        <thead className="sticky top-0 bg-bg text-left">
          <tr>
            {titles.map((title) => (
              <th key={title} scope="col" className="px-2.5 py-1.5 font-medium whitespace-nowrap text-text-2">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {rows.map((cells, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a report have no other name.
            <tr key={at}>
              {cells.map((cell, index) => (
                <td key={titles[index]} className="max-w-80 truncate px-2.5 py-1.5" title={cell}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
