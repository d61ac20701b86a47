import { Group } from '@mantine/core'
import { Notifications, notifications } from '@mantine/notifications'
import '@mantine/notifications/styles.layer.css'
import { IconAlertTriangle, IconCheck, IconX } from '@tabler/icons-react'
import i18next from 'i18next'
import { loadWords } from '#portal/app/i18n/i18n.ts'
import { sentenceOf } from '../apiError.ts'
import classes from './toast.module.css'
import { offerUndo, type Undo } from './undo.ts'

type Kind = 'success' | 'warning' | 'error'
const looks = {
  success: { color: 'ok', icon: <IconCheck size={16} aria-hidden /> },
  warning: { color: 'warn', icon: <IconAlertTriangle size={16} aria-hidden /> },
  error: { color: 'crit', icon: <IconX size={16} aria-hidden /> },
} as const satisfies Record<Kind, object>

const lifetimeMs = 5_000

interface Options {
  /** Stays until it is closed. */
  isPersistent?: boolean
  /** A button that undoes the act; the message stays while it has the pointer or the focus. */
  undo?: Undo
}

const featuresOf = (keys: readonly string[]) =>
  keys.flatMap((key) => (key.includes(':') ? (key.split(':')[0] ?? []) : []))

async function runUndo({ act, says, values }: Undo) {
  try {
    await act()
    await show('success', says, values)
  } catch (error) {
    toast.error(error)
  }
}

async function show(
  kind: Kind,
  key: string,
  values?: Record<string, unknown>,
  { isPersistent = false, undo }: Options = {},
) {
  // If the words fail to load, a plain message still shows that something happened.
  await loadWords(featuresOf(undo ? [key, 'editing:undo.do'] : [key])).catch(() => undefined)
  const id = crypto.randomUUID()
  const take =
    undo &&
    offerUndo(() => {
      notifications.hide(id)
      return runUndo(undo)
    })
  const text = i18next.t(key, values ?? {})
  notifications.show({
    id,
    ...looks[kind],
    message: take ? <UndoMessage text={text} take={() => void take()} /> : text,
    autoClose: isPersistent ? false : lifetimeMs,
    role: kind === 'error' ? 'alert' : 'status',
    closeButtonProps: { 'aria-label': i18next.t('ui:close') },
  })
}

const UndoMessage = ({ text, take }: { text: string; take: () => void }) => (
  <Group component="span" gap="sm" wrap="nowrap" justify="space-between">
    <span>{text}</span>
    <button type="button" className={`${classes.undo} lights`} onClick={take} aria-keyshortcuts="Control+Z">
      {i18next.t('editing:undo.do')}
    </button>
  </Group>
)

/**
 * Short messages in the corner, shown for 5 s unless they are persistent. Keys contain their file: `alarm:repaired`.
 */
export const toast = {
  success: (key: string, values?: Record<string, unknown>, options?: Options) =>
    void show('success', key, values, options),
  warning: (key: string, values?: Record<string, unknown>, options?: Options) =>
    void show('warning', key, values, options),
  /** The error of a call, in the reader's language, or a key. */
  error: (error: unknown, values?: Record<string, unknown>, options?: Options) => {
    if (typeof error === 'string') void show('error', error, values, options)
    else
      void loadWords(['errors'])
        .catch(() => undefined)
        .then(() =>
          notifications.show({
            ...looks.error,
            message: textOf(error),
            autoClose: lifetimeMs,
            role: 'alert',
            closeButtonProps: { 'aria-label': i18next.t('ui:close') },
          }),
        )
  },
}

function textOf(error: unknown) {
  return sentenceOf((key, values) => i18next.t(key, values), error)
}

export const ToastStack = () => <Notifications position="bottom-right" limit={4} containerWidth={380} zIndex={500} />
