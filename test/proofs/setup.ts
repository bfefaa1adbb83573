import { build, install } from '../support/install.ts';

/**
 * Before the first worker starts: compiles the product, since none may build dist/ while another runs it, and installs
 * the packages that several files share, since none may install a folder while another uses it.
 */
export default function setup(): void {
  build();
  for (const folder of ['examples/federation', 'test/federation']) install(folder);
}
