/** The text of a validation error as a sentence at its field: the server puts what kind of error it is before some of them. */
export const plainFault = (text: string): string => {
  const plain = text.replace(/^Value error, /, '');
  return plain === text ? text : plain.charAt(0).toUpperCase() + plain.slice(1);
};
