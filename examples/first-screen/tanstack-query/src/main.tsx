import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { describeError } from 'settlement-graph-client';
import { Customers } from './customers';

const retry = (count: number, error: unknown) => count < 2 && describeError(error).canRetry;
const client = new QueryClient({ defaultOptions: { queries: { retry } } });

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <Customers />
    </QueryClientProvider>
  </StrictMode>,
);
