import { MediaList } from './MediaList.tsx'

/** Keys, cards and app accounts. */
export default function MediaListScreen() {
  return <MediaList />
}
