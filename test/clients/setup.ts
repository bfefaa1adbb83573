import { build, install } from '../support/install.ts';

/** Builds what frontends import, and installs the packages of the example and of these tests. */
export default function setup(): void {
  build();
  for (const folder of ['examples/frontend', 'test/clients']) install(folder);
}
