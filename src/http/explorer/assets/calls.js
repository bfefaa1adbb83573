export const name = 'calls';
