const minWaitMs = 50;
const maxWaitMs = 2_000;

export type Readiness = ReturnType<typeof watchReadiness>;

/**
 * Ready from the first connection to the service on. A later outage of the service does not end readiness: without the
 * gateway behind the load balancer, clients would lose its error codes.
 */
export function watchReadiness(isReachable: () => Promise<boolean>) {
  let ready = false;
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  const poll = async (waitMs: number): Promise<void> => {
    ready = await isReachable();
    if (ready || stopped) return;
    timer = setTimeout(() => void poll(Math.min(waitMs * 2, maxWaitMs)), waitMs).unref();
  };
  void poll(minWaitMs);

  return {
    isReady: (): boolean => ready && !stopped,
    stop: (): void => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
