export const name = 'explorer';
