import { IconX } from '@tabler/icons-react'
import {
  Component,
  createContext,
  type FunctionComponent,
  type LazyExoticComponent,
  lazy,
  type ReactNode,
  Suspense,
  useContext,
} from 'react'
import { useTranslation } from 'react-i18next'
import { loadWords } from '#portal/app/i18n/i18n.ts'
import { reloadWhenReached } from '#portal/app/newerBuild.ts'
import { isRemembered, reachable } from '#portal/app/reachable.ts'
import { ErrorState } from './ErrorState.tsx'
import classes from './lazyPart.module.css'

/** Counts the failures of a part, so that the next attempt to show it loads it again. */
let attempts = 0
const Attempt = createContext(0)

/** A component that loads, with its words, when it is first shown or by `preload`; it belongs inside a `Part`. */
export function lazyPart<P extends object>(
  load: () => Promise<{ default: (props: P) => ReactNode }>,
  words: readonly string[] = [],
): FunctionComponent<P> & { preload: () => void } {
  const both = reachable(async () => {
    const [part] = await Promise.all([load(), words.length > 0 && loadWords(words)])
    hasCome = true
    return part
  })
  let hasCome = false
  let made: { attempt: number; Shown: LazyExoticComponent<FunctionComponent<P>> } | undefined
  const shownAt = (attempt: number) => {
    if (!made || (!hasCome && made.attempt < attempt)) made = { attempt, Shown: lazy(both) }
    return made.Shown
  }
  const LazyPart = (props: P) => {
    const Shown = shownAt(useContext(Attempt))
    return <Shown {...props} />
  }
  return Object.assign(LazyPart, { preload: () => void both().catch(() => undefined) })
}

interface Props {
  children: ReactNode
  /** Shown until the part has loaded. */
  fallback?: ReactNode
  /** Shown when the part failed to load; by default a sentence and a retry button. */
  failed?: (again: () => void) => ReactNode
}
interface State {
  failure?: { error: unknown }
  attempt: number
}

/**
 * A place on a screen whose content loads when it is shown. On an error, the place shows it and the rest of the screen
 * stays.
 */
export class Part extends Component<Props, State> {
  override state: State = { attempt: attempts }
  static getDerivedStateFromError = (error: unknown): Partial<State> => ({ failure: { error } })
  private hasTried = false

  override componentDidCatch(error: unknown) {
    attempts += 1
    if (this.hasTried && isRemembered(error)) void reloadWhenReached()
  }
  private readonly again = () => {
    this.hasTried = true
    this.setState({ failure: undefined, attempt: attempts })
  }
  override render() {
    const { children, fallback, failed } = this.props
    const { failure, attempt } = this.state
    if (failure) return failed ? failed(this.again) : <ErrorState isSmall error={failure.error} retry={this.again} />
    return (
      <Attempt value={attempt}>
        <Suspense fallback={fallback}>{children}</Suspense>
      </Attempt>
    )
  }
}

/** For a part without a place on the screen, such as a dialog: a message in the corner says that it failed to load. */
export function PartFailure({ again, close }: { again: () => void; close?: () => void }) {
  const { t } = useTranslation(['ui', 'errors'])
  return (
    <div className={classes.corner}>
      <ErrorState isSmall text={t('errors:Unreachable')} retry={again} />
      {close && (
        <button type="button" className={`${classes.close} lights`} onClick={close} aria-label={t('ui:close')}>
          <IconX size={16} aria-hidden />
        </button>
      )}
    </div>
  )
}
