import { IconRefresh } from '@tabler/icons-react'
import { Component, type ReactNode } from 'react'
import { Translation } from 'react-i18next'
import { forgetAnswers } from '../app/kept.ts'
import { Button, Empty } from './parts.tsx'

/** What was kept may be what cannot be shown; it is fetched again, if there is a network. */
async function startAgain() {
  if (navigator.onLine) await forgetAnswers().catch(() => undefined)
  window.location.reload()
}

/** Shows a way out, in the place of a screen that failed. */
export class Boundary extends Component<{ children: ReactNode }, { hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError() {
    return { hasFailed: true }
  }

  override render() {
    if (!this.state.hasFailed) return this.props.children
    return (
      <Translation ns="key-app">
        {(t) => (
          <main className="alone">
            <Empty title={t('failedTitle')}>
              <p>{t('failed')}</p>
              <Button icon={<IconRefresh aria-hidden />} onClick={() => void startAgain()}>
                {t('retry')}
              </Button>
            </Empty>
          </main>
        )}
      </Translation>
    )
  }
}
