/** Return addresses stay inside the portal. */
export function safeReturn(to: string | undefined | null): string {
  // Parsed like browsers do: they read a backslash as a slash, and drop tabs, line ends and dots.
  const here = 'http://portal.invalid'
  if (!to?.startsWith('/') || !URL.canParse(to, here)) return '/dashboard'
  const { origin, pathname } = new URL(to, here)
  return origin === here && !/^\/(\/|(login|signed-in|unauthorized)(\/|$))/.test(pathname) ? to : '/dashboard'
}
