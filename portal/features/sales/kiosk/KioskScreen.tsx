import { Box, Center, Flex, Stack, Text, Title } from '@mantine/core'
import { useInterval, useViewportSize } from '@mantine/hooks'
import { IconPlugConnectedX } from '@tabler/icons-react'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ShownKiosk } from '#contract/sales/kiosk.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { NumbersContext } from '#portal/app/i18n/numbersOf.ts'
import { reloadIfNewer } from '#portal/app/newerBuild.ts'
import { Note } from '#portal/ui/page/Note.tsx'
import { Splash } from '#portal/ui/part/Splash.tsx'
import { useNow } from '#portal/ui/time/When.tsx'
import { KioskMap } from './KioskMap.tsx'
import { KioskToday } from './KioskToday.tsx'
import { endingOf, oldAfterMs, SecretContext, secretIn, useKiosk } from './useKiosk.ts'

/** How long each view is shown, where both are. */
const turnMs = 30_000
/** How often the page checks whether the server has a newer one. */
const buildMs = 30 * 60_000
/** The window's width for which text and figures have their size; on a wider one they grow with it. */
const designWidth = 1366
const largestZoom = 3

/** The page of a wall display: the figures and the map of the link in its address, full-screen, for as long as it is open. */
export default function KioskScreen() {
  const hash = useRouterState({ select: ({ location }) => location.hash })
  const [client] = useState(() => new QueryClient())
  const secret = secretIn(`#${hash.replace(/^#/, '')}`)
  return secret === undefined ? (
    <Ended reason="KioskEnded" />
  ) : (
    <QueryClientProvider client={client}>
      <SecretContext value={secret}>
        <Display />
      </SecretContext>
    </QueryClientProvider>
  )
}

function Display() {
  const { data, error, dataUpdatedAt } = useKiosk()
  useInterval(() => void reloadIfNewer(), buildMs, { autoInvoke: true })
  useAwake()
  const ending = endingOf(error)
  if (ending) return <Ended reason={ending} />
  if (!data) return error ? <Waiting /> : <Splash />
  return (
    <NumbersContext value={data.currency}>
      <Framed kiosk={data} answeredAt={dataUpdatedAt} />
    </NumbersContext>
  )
}

/** The display's head, and its view, or both in turn. */
function Framed({ kiosk, answeredAt }: { kiosk: ShownKiosk; answeredAt: number }) {
  const { t } = useTranslation('kiosk')
  const format = useFormat()
  const now = useSeconds()
  const { width } = useViewportSize()
  const [turn, setTurn] = useState(0)
  useInterval(() => setTurn((one) => one + 1), turnMs, { autoInvoke: true })
  const { shows, merchantName, groupName, name, timeZone } = kiosk
  useEffect(() => {
    document.title = `${name} · Gettone`
  }, [name])
  const view = shows === 'both' ? (turn % 2 === 0 ? 'dashboard' : 'map') : shows
  const isOld = now.getTime() - answeredAt > oldAfterMs
  const zoom = Math.min(largestZoom, Math.max(1, width / designWidth))
  return (
    <Flex
      component="main"
      direction="column"
      gap="part"
      p={{ base: 'sm', xs: 'md' }}
      h={{ sm: `${100 / zoom}dvh` }}
      mih={`${100 / zoom}dvh`}
      style={{ zoom }}
    >
      <Flex component="header" align="baseline" columnGap="md" wrap="wrap" flex="none">
        <Title order={1} fz={{ base: 'lg', xs: 24 }} fw={680} className="breaks">
          {[merchantName, groupName].filter(Boolean).join(' · ')}
        </Title>
        <Text c="dimmed" fz="head" className="breaks">
          {name}
        </Text>
        <Text ml="auto" fz={{ base: 'lg', xs: 24 }} fw={600} style={{ fontVariantNumeric: 'tabular-nums' }}>
          {format.instant(now, 'time', timeZone)}
        </Text>
      </Flex>
      {isOld && (
        <Note tone="warn" role="status" fz="head" flex="none">
          {t('old', { time: format.instant(new Date(answeredAt), 'minute', timeZone) })}
        </Note>
      )}
      <Box flex="1" mih={0}>
        {view === 'dashboard' ? <KioskToday kiosk={kiosk} zoom={zoom} /> : <KioskMap />}
      </Box>
    </Flex>
  )
}

/** The time, to a few seconds. */
function useSeconds(): Date {
  const [now, setNow] = useState(() => new Date())
  useInterval(() => setNow(new Date()), 5_000, { autoInvoke: true })
  return now
}

/** Keeps the screen on where the browser can, also after the page was hidden. */
function useAwake() {
  const now = useNow()
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (isHeld || !('wakeLock' in navigator) || document.visibilityState !== 'visible') return
    navigator.wakeLock.request('screen').then(
      (lock) => {
        setHeld(true)
        lock.addEventListener('release', () => setHeld(false))
      },
      () => undefined,
    )
  }, [isHeld, now])
}

const Message = ({ title, text, children }: { title: string; text: string; children?: ReactNode }) => (
  <Center component="main" mih="100dvh" p="lg" ta="center">
    <Stack gap="sm" align="center" maw={640}>
      {children}
      <Title order={1} fz={28} fw={680}>
        {title}
      </Title>
      <Text fz="lg" c="dimmed">
        {text}
      </Text>
    </Stack>
  </Center>
)

/** The link has ended: that, why, and who can create another. */
function Ended({ reason }: { reason: NonNullable<ReturnType<typeof endingOf>> }) {
  const { t } = useTranslation(['kiosk', 'errors'])
  return (
    <Message
      title={t('kiosk:over.title')}
      text={reason === 'KioskEnded' ? t('kiosk:over.text') : t(`errors:${reason}`)}
    >
      <IconPlugConnectedX size={48} aria-hidden />
    </Message>
  )
}

/** The first answer is not there yet. */
function Waiting() {
  const { t } = useTranslation('kiosk')
  return <Message title={t('waiting.title')} text={t('waiting.text')} />
}
