namespace ns {
enum class Type
{
    // Before any version was written
    BeforeCustomVersionWasAdded = 0,
    AddedMeshes,

    // Textures are streamed
    StreamedTextures,

    // -----<new versions can be added above this line>-----
    VersionPlusOne,
    LatestVersion = VersionPlusOne - 1
};
}
