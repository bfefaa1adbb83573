import { exampleFolder, install, proofsFolder } from '../support/federation.ts';
import { build } from '../support/install.ts';

/**
 * Before the first worker starts: compiles the product, since none may build dist/ while another runs it, and installs
 * the packages that several files share, since none may install a folder while another uses it.
 */
export default async function setup(): Promise<void> {
  build();
  for (const folder of [exampleFolder, proofsFolder]) await install(folder);
}
