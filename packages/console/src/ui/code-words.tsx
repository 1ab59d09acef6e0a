/** A text of the server whose `names` stand in the type of code. */
export const CodeWords = ({ text }: { text: string }) =>
  text.split('`').map((part, index) =>
    index % 2 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text keep their places.
      <code key={index} className="font-mono text-[0.95em]">
        {part}
      </code>
    ) : (
      part
    ),
  );
