/** Compiles the product before the first worker starts: none may build dist/ while another runs it. */
export { build as default } from '../support/install.ts';
