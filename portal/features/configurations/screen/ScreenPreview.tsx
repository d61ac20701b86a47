import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core'
import { rectSortingStrategy, SortableContext, sortableKeyboardCoordinates, useSortable } from '@dnd-kit/sortable'
import { Box, Flex, Stack, Text } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import {
  type NewScreenConfiguration,
  type ScreenButton,
  type ScreenPage,
  screenSizes,
} from '#contract/configurations/screen-content.ts'
import type { Language } from '#contract/vocabulary/world/languages.ts'
import { useFormat } from '#portal/app/i18n/format.ts'
import { useMerchant } from '#portal/app/merchant.tsx'
import type { Products } from '#portal/features/catalogue/planogram/lines/useProductChoices.ts'
import { useThumbnails } from '#portal/features/catalogue/planogram/lines/useThumbnails.ts'
import classes from './Screen.module.css'
import { useScreenFile } from './useScreenFile.ts'

/** The tallest preview, in pixels of the page. */
const tallest = 640
/** Columns of the menu, by the screen's width. */
const columnsOf = (width: number) => (width >= 1200 ? 4 : width >= 1000 ? 3 : 2)

interface Props {
  content: NewScreenConfiguration
  merchantId: string | undefined
  products: Products | undefined
  language: Language
  page: number
  isIdle: boolean
  buttonAt: number | undefined
  isFixed: boolean
  choose: (at: number) => void
  openPage: (at: number) => void
  move: (from: number, to: number) => void
}

/** The screen at its own size in pixels, scaled to the page. Buttons are dragged with the pointer or the keyboard. */
export function ScreenPreview(props: Props) {
  const { content, isIdle } = props
  const { t } = useTranslation('screen-configuration')
  const format = useFormat()
  const { ref, width: room } = useElementSize()
  const { width, height } = screenSizes[content.size] ?? screenSizes.portrait10
  const scale = Math.min(1, (room || width) / width, tallest / height)
  const { background, text, button, buttonText, accent } = content.colours
  const style = {
    width,
    height,
    transform: `scale(${scale})`,
    '--s-background': background,
    '--s-text': text,
    '--s-button': button,
    '--s-button-text': buttonText,
    '--s-accent': accent,
  } as CSSProperties
  return (
    <Stack ref={ref} component="figure" gap="near" align="center" miw={0}>
      <Box
        bd="1px solid var(--line-strong)"
        bdrs="sm"
        className="clips"
        style={{ width: width * scale, height: height * scale }}
      >
        <div className={classes.screen} style={style} data-testid="screen-preview">
          {isIdle ? <Idle {...props} /> : <Menu {...props} scale={scale} columns={columnsOf(width)} />}
        </div>
      </Box>
      <Box component="figcaption" c="dimmed" fz="fine">
        {t('preview.caption', {
          width: format.number(width),
          height: format.number(height),
          percent: Math.round(scale * 100),
        })}
      </Box>
    </Stack>
  )
}

function Idle({ content: { idle }, merchantId }: Props) {
  const { t } = useTranslation('screen-configuration')
  const [first] = idle.fileIds
  const url = useScreenFile(merchantId, first)
  if (idle.kind === 'none' || !first)
    return (
      <Text m="auto" fz={32} ta="center">
        {t('preview.nothing')}
      </Text>
    )
  return idle.kind === 'video' ? (
    <video className={classes.whole} src={url} autoPlay muted loop aria-label={t('idle.kind.video')} />
  ) : (
    <img className={classes.whole} src={url} alt={t('idle.kind.pictures')} />
  )
}

/** Keys of buttons: their selections, which are unique once the form is valid. */
const keysOf = (buttons: readonly ScreenButton[]) =>
  buttons.map(({ selection }, at) =>
    buttons.findIndex((one) => one.selection === selection) === at ? `s${selection}` : `s${selection}#${at}`,
  )

function Menu({
  content,
  merchantId,
  products,
  language,
  page,
  buttonAt,
  isFixed,
  choose,
  openPage,
  move,
  scale,
  columns,
}: Props & { scale: number; columns: number }) {
  const { t } = useTranslation('screen-configuration')
  const sensors = useSensors(
    useSensor(PointerSensor, { activationConstraint: { distance: 6 } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  )
  const { languages } = content
  const currentPage = content.pages[page]
  const buttons = currentPage?.buttons ?? []
  const keys = keysOf(buttons)
  const thumbnails = useThumbnails(
    merchantId ?? '',
    merchantId ? buttons.filter(({ picture }) => picture === 'product').map(({ productId }) => productId) : [],
  )
  const inLanguage = (texts: Partial<Record<Language, string>>) => texts[language] || texts[languages[0] ?? language]
  const nameOf = (button: ScreenButton) =>
    inLanguage(button.texts) || products?.byId.get(button.productId)?.name || t('button.gone')
  const placeOf = (key: unknown) => keys.indexOf(String(key)) + 1
  const titleOf = (key: unknown) => {
    const button = buttons[placeOf(key) - 1]
    return button ? nameOf(button) : ''
  }
  const end = ({ active, over }: DragEndEvent) => {
    if (over && active.id !== over.id) move(placeOf(active.id) - 1, placeOf(over.id) - 1)
  }
  const say = (key: 'lifted' | 'over' | 'dropped' | 'cancelled', active: unknown, over?: unknown) =>
    t(`drag.${key}`, { name: titleOf(active), place: placeOf(over ?? active), of: buttons.length })
  return (
    <>
      <PageHeads content={content} page={page} openPage={openPage} titleOf={(one) => inLanguage(one.titles)} />
      {buttons.length === 0 && (
        <Text m="auto" fz={32} ta="center">
          {t('preview.empty')}
        </Text>
      )}
      <DndContext
        sensors={sensors}
        collisionDetection={closestCenter}
        onDragEnd={end}
        accessibility={{
          screenReaderInstructions: { draggable: t('drag.how') },
          announcements: {
            onDragStart: ({ active }) => say('lifted', active.id),
            onDragOver: ({ active, over }) => (over ? say('over', active.id, over.id) : undefined),
            onDragEnd: ({ active, over }) => say('dropped', active.id, over?.id),
            onDragCancel: ({ active }) => say('cancelled', active.id),
          },
        }}
      >
        <SortableContext items={keys} strategy={rectSortingStrategy} disabled={isFixed}>
          <div className={classes.grid} style={{ gridTemplateColumns: `repeat(${columns}, minmax(0, 1fr))` }}>
            {buttons.map((button, at) => (
              <MenuButton
                key={keys[at]}
                id={keys[at] ?? ''}
                scale={scale}
                button={button}
                name={nameOf(button)}
                thumbnail={thumbnails.get(button.productId)}
                merchantId={merchantId}
                hasPrice={content.showPrices}
                isChosen={at === buttonAt}
                choose={() => choose(at)}
              />
            ))}
          </div>
        </SortableContext>
      </DndContext>
    </>
  )
}

interface PageHeadsProps extends Pick<Props, 'content' | 'page' | 'openPage'> {
  titleOf: (page: ScreenPage) => string | undefined
}

/** The titles of the pages, as tabs. */
function PageHeads({ content: { pages }, page, openPage, titleOf }: PageHeadsProps) {
  const { t } = useTranslation('screen-configuration')
  return (
    <Flex component="header" gap="sm" wrap="wrap" mb={28}>
      {pages.map((one, index) => (
        <button
          type="button"
          // A page is identified by its position alone.
          key={index}
          className={classes.tab}
          data-open={index === page}
          tabIndex={-1}
          onClick={() => openPage(index)}
        >
          {titleOf(one) || t('page.number', { number: index + 1 })}
        </button>
      ))}
    </Flex>
  )
}

interface ButtonProps {
  id: string
  scale: number
  button: ScreenButton
  name: string
  thumbnail: string | undefined
  merchantId: string | undefined
  hasPrice: boolean
  isChosen: boolean
  choose: () => void
}

/** A sample price: prices are the machine's own. */
const samplePrice = 100

function MenuButton({ id, scale, button, name, thumbnail, merchantId, hasPrice, isChosen, choose }: ButtonProps) {
  const format = useFormat()
  const { currency } = useMerchant()
  const { attributes, listeners, setNodeRef, transform, transition, isDragging } = useSortable({ id })
  const file = useScreenFile(merchantId, button.picture === 'file' ? button.fileId : null)
  const picture = button.picture === 'file' ? file : button.picture === 'product' ? thumbnail : undefined
  // Distances are of the page; the button is drawn within the scaled screen.
  const at = transform && `translate(${transform.x / scale}px, ${transform.y / scale}px)`
  return (
    <button
      ref={setNodeRef}
      type="button"
      {...attributes}
      {...listeners}
      className={classes.item}
      data-chosen={isChosen}
      data-dragging={isDragging}
      style={{ transform: at ?? undefined, transition }}
      onClick={choose}
    >
      <Stack component="span" gap={0} align="center" justify="center" mih={110} className={classes.picture}>
        {picture && <img src={picture} alt="" draggable={false} />}
      </Stack>
      <Text span fw={650} fz={28} lh="1.2" className="clips breaks">
        {name}
      </Text>
      <Flex component="span" justify="space-between" fz={24}>
        <Text span opacity={0.75}>
          {button.selection}
        </Text>
        {hasPrice && currency && (
          <Text span c="var(--s-button-text)" fw={600}>
            {format.money(samplePrice, currency)}
          </Text>
        )}
      </Flex>
    </button>
  )
}
