import { build, install } from './install.ts';

const folders = ['examples/federation', 'examples/frontend', 'test/clients', 'test/federation'];

/**
 * Before the first worker starts: compiles the product, since none may build dist/ while another runs it, and installs
 * the packages that several files share, since none may install a folder while another uses it.
 */
export default async function setup(): Promise<void> {
  await Promise.all([build(), ...folders.map(install)]);
}
