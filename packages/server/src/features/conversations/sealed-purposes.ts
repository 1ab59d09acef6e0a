/** What the sealed values of conversations are for. */
export const tokenPurpose = 'conversation link';
export const variablesPurpose = 'conversation variables';
