import {
  type AnyRoute,
  createRootRouteWithContext,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Navigate,
  notFound,
  Outlet,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router'
import { alarmCodePattern } from '#contract/vocabulary/alarm-code.ts'
import { serialPattern } from '#contract/vocabulary/serial.ts'
import { loadWords } from '../app/i18n/i18n.ts'
import { reachable } from '../app/reachable.ts'
import type { Screen } from '../app/screen.ts'
import { isId, readSearch, type Search, writeSearch } from '../app/search.ts'
import { userMay } from '../app/session/may.ts'
import type { Session } from '../app/session/useSession.ts'
import { kit, redirects, screens } from '../screens.ts'
import { lazyPart, Part } from '../ui/part/lazyPart.tsx'
import { ScreenSkeleton } from '../ui/part/ScreenSkeleton.tsx'
import { ancestorsOf, firstPlace, placeOf } from './menu/menu.ts'
import { ScreenFailure } from './ScreenFailure.tsx'
import { Shell } from './Shell.tsx'

interface Context {
  /** Given where the router is rendered. */
  session?: Session
  isDevelopment: boolean
}

const root = createRootRouteWithContext<Context>()({
  component: Outlet,
  validateSearch: (search) => search as Search,
  search: { middlewares: [retainSearchParams<Search>(['merchant', 'groups'])] },
})

const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
  beforeLoad: ({ context, location }) => {
    if (context.session?.isUnauthorized) throw redirect({ to: '/unauthorized' })
    if (!context.session?.me)
      throw redirect({ to: '/login', search: { to: location.href === '/' ? undefined : location.href } })
  },
})

const patterns: Record<string, RegExp> = { code: alarmCodePattern, serial: serialPattern }

const MissingAddress = lazyPart(() => import('../ui/page/MissingAddress.tsx'), ['errors'])
const MissingPage = () => (
  <Part>
    <MissingAddress />
  </Part>
)

/** Whether a name of an address has the form of what it names. */
const mayName = ([name, value]: [string, unknown]) =>
  patterns[name]?.test(String(value)) ?? (!/id$/i.test(name) || isId(String(value)))

/** Creates the routes of the screens: tabs inside their page, all others side by side in the shell. */
function routesOf(rows: readonly Screen[]): AnyRoute[] {
  const made = new Map<string, AnyRoute>()
  const children = new Map<AnyRoute, AnyRoute[]>()
  for (const screen of [...rows].sort((a, b) => Number(Boolean(a.tabOf)) - Number(Boolean(b.tabOf)))) {
    const above = screen.tabOf ? made.get(screen.tabOf) : shell
    if (!above) throw new Error(`${screen.path} is a tab of ${screen.tabOf}, which is no screen`)
    const words = reachable(() => loadWords(screen.words))
    const route = createRoute({
      getParentRoute: () => above,
      path: screen.tabOf ? screen.path.slice(screen.tabOf.length) || '/' : screen.path,
      // The router's default is a reload, which would lose the page without a connection.
      component: lazyRouteComponent(reachable(screen.load)),
      // An address with an invalid id names nothing.
      loader: ({ params }: { params: object }) => {
        if (!Object.entries(params).every(mayName)) throw notFound()
        return words()
      },
      notFoundComponent: MissingPage,
      staleTime: Number.POSITIVE_INFINITY,
      staticData: { here: { screen, ancestors: ancestorsOf(rows, screen), place: placeOf(rows, screen) } },
      beforeLoad: ({ context }) => {
        const me = (context as Context).session?.me
        if (!me || !userMay(me, screen.needs)) throw redirect({ to: '/unauthorized' })
      },
    }) as unknown as AnyRoute // Cast: routes made in a loop have no types of their own.
    if (!screen.tabOf) made.set(screen.path, route)
    children.set(above, [...(children.get(above) ?? []), route])
  }
  for (const [above, below] of children) if (above !== shell) above.addChildren(below)
  return children.get(shell) ?? []
}

const kitRoute = createRoute({
  getParentRoute: () => shell,
  path: kit.path,
  component: lazyRouteComponent(kit.load),
  loader: () => loadWords(kit.words),
  beforeLoad: ({ context }) => {
    if (!context.isDevelopment) throw redirect({ to: '/dashboard', replace: true })
  },
})

/** Pages outside the shell, controlled by the session. They load before the first screen, so each is small. */
const outside = [
  { path: '/invitation', load: () => import('./session/InvitationScreen.tsx'), words: ['session', 'errors'] },
  {
    path: '/confirm-client-data/$hash',
    load: () => import('../features/licences/client-data/ClientDataScreen.tsx'),
    words: ['session', 'client-data', 'licence', 'vocabulary', 'errors'],
  },
  {
    path: '/kiosk',
    load: () => import('../features/sales/kiosk/KioskScreen.tsx'),
    words: ['kiosk', 'dashboard', 'machine-event', 'vocabulary', 'errors'],
  },
  { path: '/login', load: () => import('./session/LoginScreen.tsx') },
  { path: '/signed-in', load: () => import('./session/SignedInScreen.tsx') },
  { path: '/unauthorized', load: () => import('./session/UnauthorizedScreen.tsx') },
]
/** Whether a path is of a page outside the shell; the last part of some is a secret. */
export const isOutside = (path: string) =>
  outside.some(
    (page) => page.path.replace(/\/\$\w+$/, '') === path.replace(/^(\/confirm-client-data)\/[^/]+\/?$/, '$1'),
  )

/** Inside the shell, so that sign-in returns to the requested address and not to another user's redirect. */
const elsewhere = Object.entries(redirects).map(([path, places]) =>
  createRoute({
    getParentRoute: () => shell,
    path,
    beforeLoad: ({ context }) => {
      throw redirect({ to: firstPlace(screens, places, (context as Context).session?.me), replace: true })
    },
  }),
)

const unknown = createRoute({
  getParentRoute: () => root,
  path: '$',
  beforeLoad: () => {
    throw redirect({ to: '/dashboard', replace: true })
  },
})

export const router = createRouter({
  routeTree: root.addChildren([
    ...outside.map(({ path, load, words = ['session'] }) =>
      createRoute({
        getParentRoute: () => root,
        path,
        component: lazyRouteComponent(reachable(load)),
        loader: reachable(() => loadWords(words)),
      }),
    ),
    shell.addChildren([...routesOf(screens), kitRoute, ...elsewhere]),
    unknown,
  ]),
  context: { isDevelopment: false },
  parseSearch: readSearch,
  stringifySearch: writeSearch,
  defaultPreload: 'intent',
  defaultPendingMs: 120,
  defaultPendingMinMs: 0,
  defaultPendingComponent: ScreenSkeleton,
  // An address that cannot be decoded, such as half of an encoded character.
  defaultNotFoundComponent: () => <Navigate to="/dashboard" replace />,
  defaultErrorComponent: ScreenFailure,
  scrollRestoration: true,
})
