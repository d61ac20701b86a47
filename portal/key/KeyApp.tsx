import { IconCoin, IconHelpCircle, IconHome, IconNews, IconQrcode, IconReceipt, IconWallet } from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, Redirect, Route, Router, Switch, useLocation, useSearch } from 'wouter'
import { NumbersContext } from '#portal/app/i18n/numbersOf.ts'
import { rememberNext } from './app/afterSignIn.ts'
import { showBrand } from './app/look.ts'
import { home, isPreview, slug } from './app/place.ts'
import { hasEnded, hasLeft, useSession } from './app/session.ts'
import { usePortal } from './app/usePortal.ts'
import { OfflineNote } from './OfflineNote.tsx'
import { WalletScreen } from './screens/WalletScreen.tsx'
import { WelcomeScreen } from './screens/WelcomeScreen.tsx'
import { Answer } from './ui/Failure.tsx'
import { Empty, Loading } from './ui/parts.tsx'

// One further file (scripts/key-app/build.ts), which is fetched after the first screen and kept for times without a network.
const ActivityScreen = lazy(async () => ({ default: (await import('./screens/ActivityScreen.tsx')).ActivityScreen }))
const ClaimScreen = lazy(async () => ({ default: (await import('./screens/ClaimScreen.tsx')).ClaimScreen }))
const ClaimsScreen = lazy(async () => ({ default: (await import('./screens/ClaimsScreen.tsx')).ClaimsScreen }))
const ContactsScreen = lazy(async () => ({ default: (await import('./screens/ContactsScreen.tsx')).ContactsScreen }))
const HelpScreen = lazy(async () => ({ default: (await import('./screens/HelpScreen.tsx')).HelpScreen }))
const LinkScreen = lazy(async () => ({ default: (await import('./screens/LinkScreen.tsx')).LinkScreen }))
const MachineScreen = lazy(async () => ({ default: (await import('./screens/MachineScreen.tsx')).MachineScreen }))
const MediaScreen = lazy(async () => ({ default: (await import('./screens/MediaScreen.tsx')).MediaScreen }))
const NewsScreen = lazy(async () => ({ default: (await import('./screens/NewsScreen.tsx')).NewsScreen }))
const PaymentScreen = lazy(async () => ({ default: (await import('./screens/PaymentScreen.tsx')).PaymentScreen }))
const PostScreen = lazy(async () => ({ default: (await import('./screens/PostScreen.tsx')).PostScreen }))
const PrivacyScreen = lazy(async () => ({ default: (await import('./screens/PrivacyScreen.tsx')).PrivacyScreen }))
const ProfileScreen = lazy(async () => ({ default: (await import('./screens/ProfileScreen.tsx')).ProfileScreen }))
const RechargeScreen = lazy(async () => ({ default: (await import('./screens/RechargeScreen.tsx')).RechargeScreen }))
const RechargeStateScreen = lazy(async () => ({
  default: (await import('./screens/RechargeStateScreen.tsx')).RechargeStateScreen,
}))
const ScanScreen = lazy(async () => ({ default: (await import('./screens/ScanScreen.tsx')).ScanScreen }))
const SignInScreen = lazy(async () => ({ default: (await import('./screens/SignInScreen.tsx')).SignInScreen }))

export function KeyApp() {
  const portal = usePortal()
  const brand = portal.data
  useEffect(() => {
    if (brand) showBrand(brand)
  }, [brand])
  if (portal.error?.status === 404) return <NoPortal />
  // A merchant's address has changed; the old one still leads here.
  if (brand && brand.slug !== slug && !isPreview) {
    window.location.replace(window.location.href.replace(home, `/key/${brand.slug}`))
    return null
  }
  return (
    <Router base={home}>
      {brand ? (
        <NumbersContext value={brand.currency}>
          <Frame>
            <Suspense
              fallback={
                <div className="page">
                  <Loading />
                </div>
              }
            >
              <Screens />
            </Suspense>
          </Frame>
        </NumbersContext>
      ) : (
        <main className="alone">
          <Answer answer={portal}>{() => null}</Answer>
        </main>
      )}
    </Router>
  )
}

function NoPortal() {
  const { t } = useTranslation('key-app')
  return (
    <main className="alone">
      <Empty icon={<IconCoin aria-hidden />} title={t('noPortal.title')}>
        <p>{t('noPortal.text')}</p>
      </Empty>
    </main>
  )
}

/** After signing in, the customer returns to the screen that needs it. */
function ToSignIn() {
  const [location, go] = useLocation()
  const search = useSearch()
  useEffect(() => {
    if (!hasLeft()) rememberNext(search ? `${location}?${search}` : location)
    go('/sign-in', { replace: true })
  })
  return null
}

function Screens() {
  const isIn = useSession() !== 'out'
  const forSignedIn = (screen: ReactNode) => (isIn ? screen : <ToSignIn />)
  return (
    <Switch>
      <Route path="/">{isIn ? <WalletScreen /> : hasEnded() ? <Redirect to="/sign-in" /> : <WelcomeScreen />}</Route>
      <Route path="/sign-in">
        <SignInScreen />
      </Route>
      <Route path="/sign-up">
        <SignInScreen isNew />
      </Route>
      <Route path="/pay">
        <ScanScreen />
      </Route>
      <Route path="/m/:code">{({ code }) => <MachineScreen key={code} code={code} />}</Route>
      <Route path="/m/:code/claim">{({ code }) => forSignedIn(<ClaimScreen key={code} code={code} />)}</Route>
      <Route path="/claims">{forSignedIn(<ClaimsScreen />)}</Route>
      <Route path="/payments/:id">{({ id }) => forSignedIn(<PaymentScreen key={id} id={id} />)}</Route>
      <Route path="/media">{forSignedIn(<MediaScreen />)}</Route>
      <Route path="/media/link">{forSignedIn(<LinkScreen />)}</Route>
      <Route path="/activity">{forSignedIn(<ActivityScreen />)}</Route>
      <Route path="/recharge">{forSignedIn(<RechargeScreen />)}</Route>
      <Route path="/recharge/:id">{({ id }) => forSignedIn(<RechargeStateScreen key={id} id={id} />)}</Route>
      <Route path="/profile">{forSignedIn(<ProfileScreen />)}</Route>
      <Route path="/news">
        <NewsScreen />
      </Route>
      <Route path="/news/:post">{({ post }) => <PostScreen key={post} post={post} />}</Route>
      <Route path="/help">
        <HelpScreen />
      </Route>
      <Route path="/contacts">
        <ContactsScreen />
      </Route>
      <Route path="/privacy">
        <PrivacyScreen />
      </Route>
      <Route>
        <Redirect to="/" />
      </Route>
    </Switch>
  )
}

/** The bar of the main places, below on phones and above on desktops, and the screen. */
function Frame({ children }: { children: ReactNode }) {
  const { t } = useTranslation('key-app')
  const portal = usePortal().data
  const isIn = useSession() !== 'out'
  const [location] = useLocation()
  const main = useRef<HTMLElement>(null)
  const lastLocation = useRef(location)
  useEffect(() => {
    if (lastLocation.current === location) return
    lastLocation.current = location
    window.scrollTo(0, 0)
    main.current?.focus({ preventScroll: true })
  }, [location])
  const hasMedia = portal?.services.media ?? false
  const places = [
    isIn && hasMedia
      ? { to: '/', name: t('nav.wallet'), icon: <IconWallet aria-hidden /> }
      : { to: '/', name: t('nav.start'), icon: <IconHome aria-hidden /> },
    { to: '/pay', name: hasMedia ? t('nav.pay') : t('nav.machine'), icon: <IconQrcode aria-hidden /> },
    isIn && hasMedia
      ? { to: '/activity', name: t('nav.activity'), icon: <IconReceipt aria-hidden /> }
      : { to: '/news', name: t('nav.news'), icon: <IconNews aria-hidden /> },
    { to: '/help', name: t('nav.help'), icon: <IconHelpCircle aria-hidden /> },
  ]
  const isAt = (to: string) => (to === '/' ? location === '/' : location.startsWith(to))
  return (
    <div className="frame">
      <a className="skip" href="#main">
        {t('skip')}
      </a>
      <OfflineNote />
      <main id="main" ref={main} tabIndex={-1}>
        {children}
      </main>
      <nav aria-label={t('nav.label')}>
        <Link to="/" className="brand">
          {portal?.name}
        </Link>
        {places.map(({ to, name, icon }) => (
          <Link key={to} to={to} className="place" aria-current={isAt(to) ? 'page' : undefined}>
            {icon}
            {name}
          </Link>
        ))}
      </nav>
    </div>
  )
}
